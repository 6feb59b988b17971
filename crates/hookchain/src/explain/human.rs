//! An explanation as a person reads it.

use hook_config::OnFailure;

use super::{
    agent::{self, Agent},
    explanation::{Candidate, Explanation, Manner},
};
use crate::{
    check::Report,
    page::{BOLD, DIM, INDENT, PLAIN, Page, RED, YELLOW},
};

/// How many characters of a request are shown.
const REQUEST_CHARS: usize = 4_000;

pub(super) fn page(explanation: &Explanation<'_>, report: &Report) -> String {
    let mut page = Page::default();
    page.header(explanation.call);
    page.asked(explanation);
    page.passed_over(explanation);
    page.line(&[(BOLD, "hooks were looked for in")]);
    page.files(report, INDENT);
    page.not_run(report);
    page.request(explanation);
    for agent in explanation.asked_agents() {
        page.agent_request(agent, explanation);
    }
    page.line(&[]);
    page.line(&[(DIM, "nothing was run")]);
    page.text
}

impl Page {
    fn asked(&mut self, explanation: &Explanation<'_>) {
        if let Some(denied) = &explanation.denied {
            self.paragraph(
                "",
                &[(RED.bold(), "denied before anybody is asked: ")],
                denied,
            );
            self.line(&[]);
            return;
        }
        let natives = explanation.asked().count();
        match natives + explanation.asked_agents().count() {
            0 => self.line(&[(BOLD, "nobody would be asked, so the call is allowed")]),
            1 => self.line(&[(BOLD, "one would be asked")]),
            _ => self.line(&[(
                BOLD,
                "these would be asked in this order, up to the first that denies",
            )]),
        }
        for (index, (candidate, manner)) in explanation.asked().enumerate() {
            let number = format!("{:3}  ", index + 1);
            self.line(&[(DIM, &number), (PLAIN, &candidate.who.to_string())]);
            self.origin(candidate);
            self.manner(manner);
        }
        for (index, agent) in explanation.asked_agents().enumerate() {
            self.agent(natives + index + 1, agent);
        }
        if let Some(approver) = explanation.approver {
            let (program, time) = (approver.command.join(" "), approver.timeout.as_millis());
            let how = format!("where no terminal is, by {program} in {time} ms");
            self.paragraph(
                "",
                &[(DIM, "a person is asked, if one of them wants it: ")],
                &how,
            );
        }
        self.line(&[]);
    }

    /// The hooks of an agent that would be asked.
    fn agent(&mut self, number: usize, agent: &Agent) {
        let number = format!("{number:3}  ");
        let event = agent.event.unwrap_or_default();
        let about = format!("  the hooks of {} at {event}, all at once", agent.title);
        self.line(&[
            (DIM, &number),
            (PLAIN, &agent.who.to_string()),
            (DIM, &about),
        ]);
        for candidate in agent.asked() {
            let hook = &candidate.hook;
            let command = hook.handler.command.shown();
            self.line(&[(PLAIN, INDENT), (DIM, "- "), (PLAIN, &command)]);
            self.line(&[
                (PLAIN, INDENT),
                (PLAIN, "  "),
                (DIM, &hook.origin.to_string()),
            ]);
            self.line(&[(PLAIN, INDENT), (PLAIN, "  "), (DIM, &manner_of(candidate))]);
            for obstacle in candidate.obstacles() {
                let indent = format!("{INDENT}  ");
                let obstacle = obstacle.to_string();
                self.paragraph(&indent, &[(YELLOW, "it cannot answer: ")], &obstacle);
            }
        }
    }

    fn origin(&mut self, candidate: &Candidate) {
        self.line(&[(PLAIN, INDENT), (DIM, &candidate.who.origin().to_string())]);
    }

    fn manner(&mut self, manner: &Manner) {
        let mut parts = Vec::new();
        let program = manner.program.as_ref();
        if let Some(program) = program.and_then(|inspection| inspection.program.as_ref()) {
            parts.push(format!("starts {}", program.display()));
        }
        if let Some(timeout) = manner.timeout_ms {
            parts.push(format!("has {timeout} ms to answer"));
        }
        parts.push(
            match manner.on_failure {
                OnFailure::Deny => "the call is denied if it cannot",
                OnFailure::Allow => "it is passed over if it cannot",
            }
            .to_owned(),
        );
        self.line(&[(PLAIN, INDENT), (DIM, &parts.join("; "))]);
        for obstacle in manner.obstacles() {
            self.paragraph(
                INDENT,
                &[(YELLOW, "it cannot answer: ")],
                &obstacle.to_string(),
            );
        }
    }

    fn passed_over(&mut self, explanation: &Explanation<'_>) {
        let agents = || explanation.agents.iter().flat_map(Agent::passed_over);
        if explanation.passed_over().next().is_none() && agents().next().is_none() {
            return;
        }
        self.line(&[(BOLD, "these would not be asked")]);
        for (candidate, why) in explanation.passed_over() {
            self.line(&[(PLAIN, INDENT), (PLAIN, &candidate.who.to_string())]);
            self.origin(candidate);
            self.paragraph(INDENT, &[], &why.to_string());
        }
        for candidate in agents() {
            let hook = &candidate.hook;
            self.line(&[(PLAIN, INDENT), (PLAIN, &hook.handler.command.shown())]);
            self.line(&[(PLAIN, INDENT), (DIM, &hook.origin.to_string())]);
            self.paragraph(INDENT, &[], &candidate.why().unwrap_or_default());
        }
        self.line(&[]);
    }

    fn request(&mut self, explanation: &Explanation<'_>) {
        let Some(request) = &explanation.request else {
            return;
        };
        self.line(&[]);
        let request = match request {
            Ok(request) => request,
            Err(error) => {
                self.paragraph("", &[(RED, "nobody can be asked: ")], error);
                return;
            }
        };
        let who = match explanation.asked().count() {
            1 => "it would read this line",
            _ => "each would read this line, as long as none before it rewrites the call",
        };
        self.line(&[(BOLD, who)]);
        self.request_line(request);
    }

    fn agent_request(&mut self, agent: &Agent, explanation: &Explanation<'_>) {
        let Some(request) = agent
            .request
            .as_ref()
            .filter(|_| explanation.denied.is_none())
        else {
            return;
        };
        self.line(&[]);
        match request {
            Ok(request) => {
                let who = format!("hooks of {} would read this line", agent.title);
                self.line(&[(BOLD, &who)]);
                self.request_line(request);
            }
            Err(error) => {
                let lead = format!("hooks of {} cannot be asked: ", agent.title);
                self.paragraph("", &[(RED, &lead)], error);
            }
        }
    }

    fn request_line(&mut self, request: &str) {
        match request.char_indices().nth(REQUEST_CHARS) {
            None => self.line(&[(PLAIN, INDENT), (PLAIN, request)]),
            Some((end, _)) => {
                let shown = request.get(..end).unwrap_or_default();
                let rest = format!("… ({} bytes; `--format json` has all of it)", request.len());
                self.line(&[(PLAIN, INDENT), (PLAIN, shown), (DIM, &rest)]);
            }
        }
    }
}

/// How a hook of an agent is asked.
fn manner_of(candidate: &agent::Candidate) -> String {
    let seconds = candidate.hook.handler.timeout.as_secs_f64();
    if candidate.in_background() {
        return "runs in the background and decides nothing".to_owned();
    }
    let without = if candidate.denies_without {
        "the call is denied if it cannot"
    } else {
        "it is passed over if it cannot"
    };
    format!("has {seconds} s to answer; {without}")
}
