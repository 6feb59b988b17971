//! The calls of one reply of the model.

use hook_contract::Json;
use hook_dialect::{Fact, Facts, Verdict};
use serde_json::{Value, json};

use super::{
    permissions::Step,
    session::{Flow, Session},
    tools::{has_its_shape, is_there, shown, takes},
};

/// A call that hooks were asked about.
struct Judged {
    tool: String,
    id: String,
    input: Json,
    runs: bool,
    /// Whether the session ends before anything else.
    ends_at_once: bool,
    /// Whether the turn ends once the call has happened.
    ends_after: bool,
}

impl Session {
    /// Asks about all calls of a reply, and makes those that may happen.
    pub(super) async fn calls(&mut self, calls: &[Value]) -> Flow {
        let mut judged = Vec::new();
        for call in calls {
            judged.push(self.judge(call).await);
        }
        if judged.iter().any(|call| call.ends_at_once) {
            return Flow::Ends;
        }
        let mut flow = Flow::GoesOn;
        for call in judged {
            if call.runs && self.make(&call).await == Flow::Ends || call.ends_after {
                flow = Flow::Ends;
            }
        }
        let facts = Facts::new().with(Fact::ToolCalls, json!([]));
        let said = self.fire("PostToolBatch", facts).await;
        self.given("PostToolBatch", said.additional_context);
        if said.stop || said.decision == Verdict::Deny {
            flow = Flow::Ends;
        }
        flow
    }

    async fn judge(&mut self, call: &Value) -> Judged {
        let tool = call["name"].as_str().unwrap_or_default().to_owned();
        let mut judged = Judged {
            id: call["id"].as_str().unwrap_or("toolu_01").to_owned(),
            input: self.told(&call["input"]),
            tool,
            runs: false,
            ends_at_once: false,
            ends_after: false,
        };
        if !is_there(&judged.tool) {
            return judged;
        }
        let facts = judged.facts();
        let said = self.fire("PreToolUse", facts).await;
        // Nothing is left to be told why when the turn ends with it.
        let ends = said.stop && said.decision == Verdict::Deny;
        if said.decision >= Verdict::Ask && !ends {
            self.refused();
        }
        judged.ends_at_once = said.decision == Verdict::Defer;
        judged.take(said.updated_input);
        let step = self.step(&judged, said.decision);
        judged.runs = match step {
            Step::Runs => true,
            Step::Refused => false,
            Step::Asks => self.ask(&mut judged).await,
        };
        judged.runs &= takes(&judged.tool, &judged.input);
        // Where somebody would have to be asked, the wish to stop is lost.
        judged.ends_after = said.stop && (judged.runs || said.decision == Verdict::Deny);
        if judged.runs {
            self.given("PreToolUse", said.additional_context);
        } else {
            self.played.maybe.extend(said.additional_context);
        }
        judged
    }

    fn step(&self, call: &Judged, verdict: Verdict) -> Step {
        let mode = self.row["mode"].as_str().unwrap_or_default();
        let what = (&*call.tool, &call.input);
        self.rules.step(mode, what, &self.cwd, verdict)
    }

    /// Whether hooks of `PermissionRequest` allow it.
    async fn ask(&mut self, judged: &mut Judged) -> bool {
        let facts = judged.facts();
        let said = self.fire("PermissionRequest", facts).await;
        // Nobody is told why when everything ends with it.
        if said.decision == Verdict::Deny && !said.stop {
            self.refused();
        }
        judged.ends_at_once = said.stop;
        judged.take(said.updated_input);
        // What a rule denies stays denied, also what has become of it.
        said.decision == Verdict::Allow && self.step(judged, Verdict::None) != Step::Refused
    }

    /// Makes a call, and asks about what came of it.
    async fn make(&mut self, call: &Judged) -> Flow {
        if call.tool == "Agent" {
            self.subagent().await;
        }
        let done = self.run_tool(&call.tool, &call.input).await;
        let facts = call.facts().with(Fact::DurationMs, 0);
        let said = match &done.result {
            Ok(result) => {
                let facts = facts.with_json(Fact::ToolResponse, result.clone());
                self.fire("PostToolUse", facts).await
            }
            Err(error) => {
                let facts = facts.with(Fact::Error, &**error);
                self.fire("PostToolUseFailure", facts).await
            }
        };
        let of_mcp = said.updated_mcp_output.as_ref();
        let of_mcp = of_mcp.filter(|_| call.tool.starts_with("mcp__"));
        let replaced = said.updated_tool_output.as_ref().or(of_mcp);
        if let Some(result) = replaced.filter(|result| has_its_shape(&call.tool, result)) {
            self.played.results.push(shown(result));
        }
        if said.stop {
            self.played.maybe.extend(said.additional_context);
            return Flow::Ends;
        }
        if said.decision == Verdict::Deny {
            self.refused();
        }
        self.given("PostToolUse", said.additional_context);
        Flow::GoesOn
    }
}

impl Judged {
    fn facts(&self) -> Facts {
        Facts::new()
            .with(Fact::ToolName, &*self.tool)
            .with_json(Fact::ToolInput, self.input.clone())
            .with(Fact::ToolUseId, &*self.id)
    }

    fn take(&mut self, rewritten: Option<Json>) {
        if let Some(input) = rewritten {
            self.input = input;
        }
    }
}
