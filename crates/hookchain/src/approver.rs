//! The program that the operator's own hooks file names to put a call to a person.

use hook_config::{ApproverSpec, MAX_HOOK_TIMEOUT};
use hook_runner::{HookRunnerBuilder, ProgramApprover, program::Environment};

/// Has the chain ask a person through that program, if there is one.
pub(crate) fn equip(
    builder: HookRunnerBuilder,
    declared: Option<&ApproverSpec>,
) -> HookRunnerBuilder {
    let Some(spec) = declared else {
        return builder;
    };
    // What a hook of the same file has, too.
    let environment = Environment::baseline([("", ""); 0]);
    let environment = environment.apart_from(builder.workspace(), &spec.directory);
    let program = ProgramApprover::new(&spec.command, spec.directory.as_path(), &environment)
        // The chain's own bound ends before, and what it then says is said whichever approver it is.
        .with_timeout(MAX_HOOK_TIMEOUT);
    builder
        .with_approver(program)
        .with_approval_timeout(spec.timeout)
}
