//! What the hooks of another agent would be asked about a call.

use std::sync::Arc;

use hook_contract::HookRequest;
use hook_dialect::{
    config::{Background, LoadedHook},
    run::{Prospect, Selection},
};
use hook_runner::{FaultKind, Identity, Inspection, Participant};

use crate::check::Settings;

/// The hooks of an agent, as one participant of the chain.
pub(super) struct Agent {
    pub(super) who: Identity,
    /// The name of the agent.
    pub(super) title: &'static str,
    /// The event that the call is; nothing when the agent has none of that kind.
    pub(super) event: Option<&'static str>,
    pub(super) hooks: Vec<Candidate>,
    /// What each one who is asked would read, without its line end; an error when it cannot be written.
    pub(super) request: Option<Result<String, String>>,
}

/// One hook of an agent.
pub(super) struct Candidate {
    pub(super) hook: Arc<LoadedHook>,
    pub(super) selection: Selection,
    /// Whether the call is denied when it cannot answer.
    pub(super) denies_without: bool,
    /// Its program, where it is one plain program.
    pub(super) program: Option<Inspection>,
}

impl Agent {
    /// What would come of a call; nothing is known of one that can be read in two ways.
    pub(super) fn of(settings: &Settings, request: Option<&HookRequest>) -> Self {
        let hooks = &settings.hooks;
        let prospect = request.map(|request| hooks.prospect_of(request));
        let prospect = prospect.unwrap_or_else(|| hooks.prospect("", &hook_dialect::Facts::new()));
        let Prospect {
            event,
            hooks: all,
            payload,
            ..
        } = prospect;
        let candidate = |(hook, selection)| Candidate::of(settings, hook, selection);
        Self {
            who: hooks.identity().clone(),
            title: hooks.dialect().title,
            event: event.map(|row| row.name),
            hooks: all.into_iter().map(candidate).collect(),
            request: payload.map(|payload| match payload {
                Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
                Err(error) => Err(error.to_string()),
            }),
        }
    }

    pub(super) fn is_asked(&self) -> bool {
        self.asked().next().is_some()
    }

    pub(super) fn asked(&self) -> impl Iterator<Item = &Candidate> {
        self.hooks.iter().filter(|candidate| candidate.is_asked())
    }

    pub(super) fn passed_over(&self) -> impl Iterator<Item = &Candidate> {
        self.hooks.iter().filter(|candidate| !candidate.is_asked())
    }
}

impl Candidate {
    fn of(settings: &Settings, hook: Arc<LoadedHook>, selection: Selection) -> Self {
        Self {
            denies_without: settings.hooks.refuses_without(&hook),
            program: settings.program(&hook),
            hook,
            selection,
        }
    }

    pub(super) const fn is_asked(&self) -> bool {
        matches!(self.selection, Selection::Asked)
    }

    pub(super) fn in_background(&self) -> bool {
        self.hook.handler.background != Background::Never
    }

    /// What would keep its program from answering.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = &FaultKind> {
        let faults = self.program.iter().flat_map(|program| &program.faults);
        faults
            .map(|fault| &fault.kind)
            .filter(|kind| !matches!(kind, FaultKind::Exposed(_)))
    }

    /// One word for why it is not asked, for programs.
    pub(super) const fn code(&self) -> Option<&'static str> {
        match &self.selection {
            Selection::Asked => None,
            Selection::OtherEvent => Some("other_event"),
            Selection::NoMatch => Some("no_match"),
            Selection::RuleDoesNotHold => Some("rule_does_not_hold"),
            Selection::CopyOf(_) => Some("copy"),
            _ => Some("not_applicable"),
        }
    }

    /// Why it is not asked, for people.
    pub(super) fn why(&self) -> Option<String> {
        let pattern = self.hook.pattern.as_deref().unwrap_or_default();
        let rule = self.hook.handler.rule.as_ref();
        Some(match &self.selection {
            Selection::Asked => return None,
            Selection::OtherEvent => {
                format!("it is asked at another event, {}", self.hook.event.name)
            }
            Selection::NoMatch => format!("its matcher `{pattern}` does not match the tool"),
            Selection::RuleDoesNotHold => format!(
                "its rule `{}` does not hold for the call",
                rule.map(hook_dialect::IfRule::text).unwrap_or_default()
            ),
            Selection::CopyOf(first) => format!(
                "it is the same as the one in {}, which is asked once for both",
                first.origin
            ),
            _ => "it does not apply to this call".to_owned(),
        })
    }
}
