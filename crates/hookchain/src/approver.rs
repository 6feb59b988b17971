//! The program that the operator's own hooks file names to put a call to a person.

use hook_config::{ApproverSpec, MAX_HOOK_TIMEOUT};
use hook_runner::{
    HookRunnerBuilder, Inspection, ProgramApprover,
    program::{Environment, Program},
};

/// Has the chain ask a person through that program, if there is one.
pub(crate) fn equip(
    builder: HookRunnerBuilder,
    declared: Option<&ApproverSpec>,
) -> HookRunnerBuilder {
    let Some(spec) = declared else {
        return builder;
    };
    let program = ProgramApprover::new(&spec.command, spec.directory.as_path(), &environment())
        // The chain's own bound ends before, and what it then says is said whichever approver it is.
        .with_timeout(MAX_HOOK_TIMEOUT);
    builder
        .with_approver(program)
        .with_approval_timeout(spec.timeout)
}

/// Looks at the program as a start would meet it. Starts nothing.
pub(crate) fn inspect(spec: &ApproverSpec) -> Inspection {
    Program::new(&spec.command, spec.directory.as_path(), &environment()).inspect()
}

/// What a hook has, too.
fn environment() -> Environment {
    Environment::baseline([("", ""); 0])
}
