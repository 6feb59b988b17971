//! A [`HookRunner`](hook_runner::HookRunner) on the execution-hook seams of the agent runtime mentra.
//!
//! mentra calls tools for a model. [`MentraHooks`] puts the chain of hookchain between the two: before a call its
//! interceptors and hook programs say whether the call happens and in what form, and after it what the model sees of
//! the result.
//!
//! ```
//! use hook_config::HooksConfig;
//! use hook_mentra::MentraHooks;
//! use hook_runner::HookRunner;
//! use mentra::Runtime;
//!
//! # fn build(provider: impl mentra::Provider + 'static) -> Result<(), Box<dyn std::error::Error>> {
//! let workspace = std::path::Path::new("/repo");
//! let loaded = hook_config::load(workspace, &HooksConfig::default())?;
//! let hooks = MentraHooks::new(HookRunner::new(workspace, loaded.hooks));
//!
//! let builder = Runtime::builder().with_provider_instance(provider);
//! let runtime = hooks.install(builder).build()?;
//! # Ok(())
//! # }
//! ```
//!
//! # What comes out
//!
//! | the chain says | before the call | after the call |
//! |---|---|---|
//! | allow | the call happens with the input that mentra has | the result stands, its content untouched (but for words of hooks for the model, see below) |
//! | deny | the call does not happen; the model reads the reason | the model reads the reason instead of the result, as an error |
//! | modify | the call happens with the new input | |
//! | replace | | the model sees the new content; the flag for errors stays unless somebody changed it |
//!
//! 1. Nothing here returns an error to mentra or panics: what goes wrong ends as a denial with words in it.
//! 2. Text content is asked about as a JSON string and structured content as itself, and both come back in kind. Images
//!    beside a result stay, unless the result becomes an error, and `AgentEvent::ToolExecutionFinished` has the true
//!    result, whatever the model is shown.
//! 3. A rewrite that a later gate refuses (the tool's schema, the authorizer, the tool itself) is refused in the name of
//!    the hooks that made it. The model reads who they are and not why: a rewrite's reason is for the audit trail, and
//!    reaches the host's [`Recorder`](hook_runner::Recorder).
//! 4. A rewritten input runs with the very numbers that the last hook saw, or not at all: mentra holds numbers in 64
//!    bits, so a rewrite with a number that does not fit is denied.
//! 5. A call that works in another directory than the runner's workspace is denied before anybody is asked; see
//!    [`MentraHooks::for_directories_below`].
//! 6. Hooks are told the agent's directory as `cwd`. mentra tells its hooks no session and nothing else of a call; a host
//!    that knows more says it with [`MentraHooks::with_call_details`].
//!
//! # What a person decides
//!
//! A hook may ask for a person's agreement. Then the runner's approver is called, once for a call, after every hook and
//! before mentra's own gates ([`with_approver`](hook_runner::HookRunnerBuilder::with_approver)). Without an approver, or
//! without an answer of it, the call does not happen, or its result is withheld; the model reads in the runner's words why,
//! and how a person can run the command by hand. The turn waits for the person, for ten minutes unless the runner says
//! otherwise.
//!
//! # What hooks say beside their decision
//!
//! Words for the model ([`Consultation::context`](hook_runner::Consultation::context)) are shown below the result of the call,
//! also those from before the call, and below the reason of a denial; each in the name of the hook that said it, and what is
//! said on both sides of the call is shown once. A structured result becomes text then. If another gate refuses the call,
//! words from before it are not shown.
//!
//! Hooks of other agents can also have a message for the user, and the wish that the turn end. mentra has no place for these
//! in the answer of a hook: they are in the [`Consultation`](hook_runner::Consultation) that the host's
//! [`Recorder`](hook_runner::Recorder) is told of ([`Concluded`](hook_runner::Recorded::Concluded)), and the host, which holds
//! the agent, shows the message or ends the turn.
//!
//! # Order
//!
//! A call meets mentra's gates in this order: hooks on the older seams (`with_pre_hook`), participants on the mixed seam
//! (this crate: those installed with the builder, then live ones as registered), the tool's input schema, the authorizer.
//! After the call: participants in the same order, older hooks in reverse, then mentra's pager. So the hooks see a
//! whole result, and the model cannot page around a replacement. A result denied by one chain is an error to the next.
//!
//! # What mentra decides before anybody is asked
//!
//! It parses the model's input and hands over its own text of it: of a key that stands twice the last one is left, and a
//! number beyond 64 bits is already rounded. What the hooks are asked about is what runs. It also cuts results to
//! `RuntimePolicy::max_tool_result_bytes` first, and keeps the whole in a file unless `spill_full_tool_output(false)` is said.
//!
//! # What does not come by here
//!
//! What a command of `background_run` writes, which mentra tells the model in a message of its own; what the provider runs by
//! itself; the images and the `details` of a result. The page for embedders (`docs/embedding.md`) has the whole list.
//!
//! # Cancellation
//!
//! A turn that is dropped drops the consultation, which kills the program that is being asked with its process group. A
//! turn whose cancellation token is set ends when the consultation does: each program has its deadline, and
//! [`HookRunnerBuilder::with_budget`](hook_runner::HookRunnerBuilder::with_budget) bounds them together.
//!
//! Linux and macOS. The minimum supported Rust version is 1.88. A new minor version of mentra is a breaking change of
//! this crate.

mod call;
mod chain;
mod content;
mod context;
mod fate;
mod hooks;
mod numbers;
mod place;
mod register;
mod seams;

pub use self::hooks::MentraHooks;

#[doc(no_inline)]
pub use mentra::runtime::{
    ExecutionHookRegistration, SharedExecutionHookRegistration, SharedHookRegistrationConflict,
};

/// The code of the page for embedders is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code for here of the page about moving from basis is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/src/moving/from-basis.md")]
struct FromBasis;
