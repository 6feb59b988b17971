//! Running a future for a limited number of polls.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// Runs a future for so many polls at most; nothing when it was not done by then.
struct Polls<F> {
    future: Pin<Box<F>>,
    left: usize,
}

impl<F: Future> Future for Polls<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.left -= 1;
        match self.future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            // Without a look at the runtime in between, the last poll has nothing new to see.
            Poll::Pending if self.left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// What the future gave within so many polls; it is dropped either way.
pub async fn dropped_after<F: Future>(polls: usize, future: F) -> Option<F::Output> {
    let limited = Polls {
        future: Box::pin(future),
        left: polls,
    };
    limited.await
}
