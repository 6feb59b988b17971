//! Awaiting without a runtime what waits for nobody.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// How often a future may give way to others before it is done.
const POLLS: usize = 1000;

/// The result of a future that never waits for anything outside.
pub(super) fn now<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..POLLS {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
    panic!("it waits for something");
}
