//! What the fields of an answer do to the event.

use super::{Decoding, answer::Answer};
use crate::{
    Decision, Failure, HookOutput, WhyIgnored,
    dialect::{AnswerField as Field, Honours, Refused, Stop},
};

impl Answer {
    pub(super) fn take_effect(mut self, decoding: &Decoding<'_>, output: &mut HookOutput) {
        output.ignored.append(&mut self.ignored);
        self.message(decoding, output);
        if decoding.row.stop == Stop::Replaces && self.flag(Field::Continue) == Some(false) {
            self.replace_by_stop(output);
            self.context(decoding, output);
            return;
        }
        if let Some(failure) = self.refused(decoding) {
            output.failure = Some(failure);
            return;
        }
        output.hook_event_name = self.event.take();
        output.suppress_output = self.flag(Field::SuppressOutput);
        self.stop(decoding, output);
        self.decide(decoding, output);
        self.rewrite(decoding, output);
        self.context(decoding, output);
        self.note_the_rest(output);
    }

    fn message(&mut self, decoding: &Decoding<'_>, output: &mut HookOutput) {
        if let Some(message) = self.texts.remove(&Field::SystemMessage) {
            if decoding.honours(Honours::MESSAGE) {
                output.system_message = Some(message);
            } else {
                output.ignore("systemMessage", WhyIgnored::NoEffect);
            }
        }
    }

    fn context(&mut self, decoding: &Decoding<'_>, output: &mut HookOutput) {
        if let Some(context) = self.texts.remove(&Field::AdditionalContext) {
            if decoding.honours(Honours::CONTEXT) {
                output.additional_context = Some(context);
            } else {
                output.ignore("additionalContext", WhyIgnored::NoEffect);
            }
        }
    }

    /// `"continue": false` where it only puts a text in place of the result.
    fn replace_by_stop(&mut self, output: &mut HookOutput) {
        let reason = self.texts.remove(&Field::Reason);
        let stop_reason = self.texts.remove(&Field::StopReason);
        let said = |text: &String| !text.trim().is_empty();
        output.decision = Some(Decision::Block);
        output.reason = reason
            .filter(said)
            .map(|reason| reason.trim().to_owned())
            .or(stop_reason)
            .filter(said)
            .or_else(|| Some("a hook stopped this".to_owned()));
        output.ignore("continue", WhyIgnored::NoEffect);
    }

    fn stop(&mut self, decoding: &Decoding<'_>, output: &mut HookOutput) {
        output.stop_reason = self.texts.remove(&Field::StopReason);
        output.continues = self.flag(Field::Continue);
        let ends = decoding.row.stop == Stop::Ends;
        if output.continues == Some(false) && !ends {
            output.continues = None;
            output.ignore("continue", WhyIgnored::NoEffect);
        }
        if self.flag(Field::Interrupt) == Some(true) {
            output.continues = Some(false);
        }
    }

    /// Whether the newer fields put the older ones out of use.
    fn specific_counts(&self, decoding: &Decoding<'_>) -> bool {
        decoding.profile.dialect.answers.specific_wins
            && (self.permission.is_some()
                || self.texts.contains_key(&Field::PermissionDecisionReason)
                || self.values.contains_key(&Field::UpdatedInput))
    }

    fn decide(&mut self, decoding: &Decoding<'_>, output: &mut HookOutput) {
        let specific = self.specific_counts(decoding);
        let older = self.decision.take();
        let honour = if older == Some(Decision::Approve) {
            Honours::APPROVE
        } else {
            Honours::BLOCK
        };
        let why = if specific {
            WhyIgnored::Overruled
        } else {
            WhyIgnored::NoEffect
        };
        let older = older.filter(|_| {
            let counts = decoding.honours(honour) && !specific;
            if !counts {
                output.ignore("decision", why);
            }
            counts
        });
        let newer = self.permission.take().filter(|_| {
            let honoured = decoding.honours(Honours::PERMISSION);
            if !honoured {
                output.ignore("permissionDecision", WhyIgnored::NoEffect);
            }
            honoured
        });
        let newer = newer.or(self.behavior.take());
        let newer_reason = self.texts.remove(&Field::PermissionDecisionReason);
        let older_reason = self.texts.remove(&Field::Reason).filter(|_| !specific);
        let message = self.texts.remove(&Field::Message);
        // A block counts beside an allow or an ask of the newer form, and then its reason is the only one.
        let is_overruled =
            older.is_some_and(Decision::refuses) && newer.is_some_and(|newer| !newer.refuses());
        if is_overruled {
            output.ignore("permissionDecision", WhyIgnored::Overruled);
            if newer_reason.is_some() {
                output.ignore("permissionDecisionReason", WhyIgnored::Overruled);
            }
            output.decision = older;
            output.reason = older_reason;
        } else {
            output.decision = newer.or(older);
            output.reason = newer_reason.or(older_reason).or(message);
        }
        if decoding.profile.dialect.answers.needs_reason {
            let said = output.reason.take();
            output.reason = said.filter(|reason| !reason.trim().is_empty());
            if !decoding.row.keeps_reasons {
                let trimmed = output.reason.as_deref().map(str::trim);
                output.reason = trimmed.map(str::to_owned);
            }
        }
    }

    fn rewrite(&mut self, decoding: &Decoding<'_>, output: &mut HookOutput) {
        let mut take = |field, honour| {
            let value = self.values.remove(&field)?;
            let why = if !decoding.honours(honour) {
                WhyIgnored::NoEffect
            } else if output.decision == Some(Decision::Defer) {
                WhyIgnored::Overruled
            } else {
                return Some(value);
            };
            output.ignore(field.name(), why);
            None
        };
        let input = take(Field::UpdatedInput, Honours::REWRITE);
        let permitted = take(Field::PermittedInput, Honours::REWRITE);
        let result = take(Field::UpdatedToolOutput, Honours::REPLACE);
        let mcp = take(Field::UpdatedMcpToolOutput, Honours::REPLACE_MCP);
        output.updated_input = input.or(permitted);
        output.updated_tool_output = result;
        output.updated_mcp_output = mcp;
    }

    /// What the agent does something with that belongs to it alone.
    fn note_the_rest(self, output: &mut HookOutput) {
        let flags = [Field::Continue, Field::SuppressOutput, Field::Interrupt];
        let rest = self.texts.into_keys().chain(self.values.into_keys());
        let flags = self.flags.into_keys().filter(|flag| !flags.contains(flag));
        for field in rest.chain(flags) {
            let why = if field == Field::UpdatedPermissions {
                WhyIgnored::Permissions
            } else {
                WhyIgnored::NoEffect
            };
            output.ignore(field.name(), why);
        }
    }

    /// What the agent knows and refuses.
    fn refused(&self, decoding: &Decoding<'_>) -> Option<Failure> {
        let specific = self.specific_counts(decoding);
        let refused = decoding.row.refused.iter().find(|refused| match refused {
            Refused::Stop => self.flag(Field::Continue) == Some(false),
            Refused::StopReason => self.texts.contains_key(&Field::StopReason),
            Refused::SuppressOutput => self.flag(Field::SuppressOutput) == Some(true),
            Refused::BareAllow => {
                self.permission == Some(Decision::Allow)
                    && !self.values.contains_key(&Field::UpdatedInput)
            }
            Refused::Ask => self.permission == Some(Decision::Ask),
            Refused::Approve => !specific && self.decision == Some(Decision::Approve),
            Refused::LoneRewrite => {
                self.values.contains_key(&Field::UpdatedInput)
                    && self.permission != Some(Decision::Allow)
            }
            Refused::LoneReason if specific => {
                self.permission.is_none()
                    && self.texts.contains_key(&Field::PermissionDecisionReason)
            }
            Refused::LoneReason => {
                self.decision.is_none() && self.texts.contains_key(&Field::Reason)
            }
            Refused::ReplaceMcp => self.values.contains_key(&Field::UpdatedMcpToolOutput),
            Refused::PermittedInput => self.values.contains_key(&Field::PermittedInput),
            Refused::UpdatedPermissions => self.values.contains_key(&Field::UpdatedPermissions),
            Refused::Interrupt => self.flag(Field::Interrupt) == Some(true),
        });
        if let Some(refused) = refused {
            return Some(Failure::Refused(*refused));
        }
        let lacks = |field| self.text(field).is_none_or(|text| text.trim().is_empty());
        let denies = if specific {
            self.permission == Some(Decision::Deny) && lacks(Field::PermissionDecisionReason)
        } else {
            self.decision == Some(Decision::Block) && lacks(Field::Reason)
        };
        (decoding.profile.dialect.answers.needs_reason && denies).then_some(Failure::NoReason)
    }
}
