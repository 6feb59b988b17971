//! The loop over tokio's readers and writers.

use hook_contract::HookRequest;
#[cfg(all(unix, feature = "own-streams"))]
use tokio::fs::File;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use super::{IntoAnswer, ServeError, ServeErrorKind, blank};
use crate::{decode_request, encode_response_to};

/// [`serve`](crate::serve) for a hook that awaits something.
///
/// One question is answered after the other, in order.
///
/// ```no_run
/// use hook_wire::{HookRequest, HookResponse, ServeError, serve_async};
///
/// # async fn ask_the_service(_: &HookRequest) -> Result<bool, std::io::Error> { Ok(true) }
/// # async fn hook() -> Result<(), ServeError> {
/// serve_async(async |request: HookRequest| {
///     Ok::<_, std::io::Error>(if ask_the_service(&request).await? {
///         HookResponse::allow()
///     } else {
///         HookResponse::deny("the service said no")
///     })
/// })
/// .await
/// # }
/// ```
///
/// # Errors
///
/// As [`serve`](crate::serve).
///
/// # Cancellation
///
/// Dropping the future may lose a question that was read and not answered; let the program end then.
pub async fn serve_async<A: IntoAnswer>(
    hook: impl AsyncFnMut(HookRequest) -> A,
) -> Result<(), ServeError> {
    #[cfg(all(unix, feature = "own-streams"))]
    {
        let own = super::streams::Streams::take().map_err(ServeError::at_the_start)?;
        let questions = BufReader::new(File::from_std(own.questions));
        serve_async_on(questions, File::from_std(own.answers), hook).await
    }
    #[cfg(not(all(unix, feature = "own-streams")))]
    serve_async_on(
        BufReader::new(tokio::io::stdin()),
        tokio::io::stdout(),
        hook,
    )
    .await
}

/// [`serve_async`], on any reader and writer.
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::HookEvent;
/// use hook_wire::{HookCall, HookRequest, HookResponse, encode_request, serve_async_on};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
/// let mut printed = Vec::new();
/// serve_async_on(encode_request(&request)?.as_slice(), &mut printed, async |_| HookResponse::allow()).await?;
/// assert_eq!(printed, b"{\"decision\":\"allow\",\"tool_call_id\":\"call-1\"}\n");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`serve`](crate::serve).
///
/// # Cancellation
///
/// Dropping the future may lose a question that was read and not answered, or leave half a line written.
pub async fn serve_async_on<A: IntoAnswer>(
    reader: impl AsyncBufRead,
    writer: impl AsyncWrite,
    mut hook: impl AsyncFnMut(HookRequest) -> A,
) -> Result<(), ServeError> {
    let (mut reader, mut writer) = (std::pin::pin!(reader), std::pin::pin!(writer));
    let mut line = Vec::new();
    let mut question = 1;
    loop {
        let fail = |kind| ServeError { kind, question };
        line.clear();
        let read = reader.read_until(b'\n', &mut line).await;
        if read.map_err(|error| fail(ServeErrorKind::Read(error)))? == 0 {
            return Ok(());
        }
        if blank(&line) {
            continue;
        }
        let request = decode_request(&line).map_err(|e| fail(ServeErrorKind::Request(e)))?;
        let call = request.tool_call_id.clone();
        let answer = hook(request).await.into_answer();
        let answer = answer.map_err(|e| fail(ServeErrorKind::Hook(e)))?;
        let answer = encode_response_to(&call, &answer);
        let written = match writer.write_all(&answer).await {
            Ok(()) => writer.flush().await,
            Err(error) => Err(error),
        };
        written.map_err(|error| fail(ServeErrorKind::Write(error)))?;
        question += 1;
    }
}
