//! The words for the model that hooks say beside their decision.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use hook_runner::Context;
use mentra::tool::ToolResultContent;

/// How many calls texts are kept for. A call that a later gate refuses has no result to put them below.
const MOST_CALLS: usize = 256;

/// The texts for the model, each in the name of the participant that said it.
pub(crate) fn contexts(said: &[Context]) -> Vec<String> {
    said.iter().map(ToString::to_string).collect()
}

/// Texts from before a call and from after it. What was said before and is said again is told once.
pub(crate) fn once_each(before: Vec<String>, after: Vec<String>) -> Vec<String> {
    let mut all = before;
    for text in after {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// A text with the others below it, a blank line between each.
pub(crate) fn below(text: &str, contexts: &[String]) -> String {
    let first = Some(text).filter(|text| !text.is_empty());
    let texts: Vec<_> = first
        .into_iter()
        .chain(contexts.iter().map(String::as_str))
        .collect();
    texts.join("\n\n")
}

/// A result with texts below it. A structured one becomes text then.
pub(crate) fn below_result(content: ToolResultContent, contexts: &[String]) -> ToolResultContent {
    if contexts.is_empty() {
        return content;
    }
    match content {
        ToolResultContent::Text(text) => ToolResultContent::text(below(&text, contexts)),
        ToolResultContent::Structured(value) => {
            ToolResultContent::text(below(&value.to_string(), contexts))
        }
    }
}

/// Texts from before a call, kept until there is a result.
#[derive(Debug, Default)]
pub(crate) struct Held(Mutex<VecDeque<HeldTexts>>);

#[derive(Debug)]
struct HeldTexts {
    agent: String,
    call: String,
    contexts: Vec<String>,
}

impl Held {
    /// Keeps texts for a call; beyond the most calls, those of the oldest are dropped.
    pub(crate) fn keep(&self, agent: &str, call: &str, contexts: Vec<String>) {
        if contexts.is_empty() {
            return;
        }
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= MOST_CALLS {
            held.pop_front();
        }
        held.push_back(HeldTexts {
            agent: agent.to_owned(),
            call: call.to_owned(),
            contexts,
        });
    }

    /// Takes the texts of a call.
    pub(crate) fn take(&self, agent: &str, call: &str) -> Vec<String> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The latest, should an agent have two calls of one name.
        let is_its = |texts: &HeldTexts| texts.agent == agent && texts.call == call;
        let place = held.iter().rposition(is_its);
        let texts = place.and_then(|place| held.remove(place));
        texts.map(|texts| texts.contexts).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn texts_stand_below_a_result_and_a_result_without_texts_is_untouched() {
        let structured = ToolResultContent::Structured(serde_json::json!({"a": 1}));
        assert_eq!(below_result(structured.clone(), &[]), structured);
        assert_eq!(
            below_result(structured, &texts(&["b", "c"])),
            ToolResultContent::text("{\"a\":1}\n\nb\n\nc")
        );
        assert_eq!(
            below_result(ToolResultContent::text(""), &texts(&["b"])),
            ToolResultContent::text("b")
        );
    }

    #[test]
    fn texts_are_kept_for_their_call_and_no_more_than_for_the_most_calls() {
        let held = Held::default();
        held.keep("a", "1", texts(&["first"]));
        held.keep("b", "1", texts(&["other"]));
        assert_eq!(held.take("a", "2"), texts(&[]));
        assert_eq!(held.take("a", "1"), texts(&["first"]));
        assert_eq!(held.take("a", "1"), texts(&[]));
        for number in 0..MOST_CALLS {
            held.keep("a", &number.to_string(), texts(&["x"]));
        }
        assert_eq!(held.take("b", "1"), texts(&[]));
        assert_eq!(held.take("a", "0"), texts(&["x"]));
    }
}
