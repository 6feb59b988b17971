//! What an agent tells of a call beyond what a request has members for.

use hook_contract::{
    Json,
    json::{Member, Members},
};

use super::BridgeRow;
use crate::dialect::Fact;

/// The members of a payload that have no other place in a request: `"name":value` each, as the agent wrote them.
#[derive(Debug)]
pub(super) struct Told(Vec<String>);

impl Told {
    pub(super) fn of(members: &Members<'_>, row: &BridgeRow) -> Self {
        let taken = [
            Fact::SessionId,
            Fact::Cwd,
            Fact::AgentId,
            Fact::ToolName,
            Fact::ToolInput,
            row.call_id,
        ];
        let result = row.outcome.map(|outcome| outcome.fact);
        let is_taken = |member: &Member<'_>| {
            let mut all = taken.into_iter().chain(result);
            all.any(|fact| fact.name() == member.name)
        };
        let rest = members.iter().filter(|member| !is_taken(member));
        Self(
            rest.map(|member| format!("{}:{}", member.name_text, member.value))
                .collect(),
        )
    }

    /// The members as an object below the agent's name; nothing where there are none. A member that two parsers could read as
    /// two values is left out.
    pub(super) fn below(&self, agent: &str) -> Option<Json> {
        let object = |members: &str| Json::parse(&format!(r#"{{"{agent}":{{{members}}}}}"#)).ok();
        if self.0.is_empty() {
            return None;
        }
        object(&self.0.join(",")).or_else(|| {
            let legible: Vec<&str> = self
                .0
                .iter()
                .map(String::as_str)
                .filter(|member| object(member).is_some())
                .collect();
            object(&legible.join(",")).filter(|_| !legible.is_empty())
        })
    }
}
