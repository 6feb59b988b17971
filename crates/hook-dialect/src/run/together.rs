//! Running several hooks at once, in one task.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

/// Work that runs on its own.
pub(super) type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// One of several.
pub(super) struct Part<T> {
    /// What is to be done; nothing when it is done, or is no longer waited for.
    pub(super) work: Option<Work<T>>,
    /// Set by the work itself when nobody is to wait for it any more.
    pub(super) leaves: Arc<AtomicBool>,
}

/// Does all parts at once and gives what came of them with their places, in the order in which they were done.
///
/// A part that `leaves` is handed over. When what came of a part `ends` it all, the others are dropped.
pub(super) async fn together<T>(
    mut parts: Vec<Part<T>>,
    mut ends: impl FnMut(&T) -> bool,
    mut hand_over: impl FnMut(usize, Work<T>),
) -> Vec<(usize, T)> {
    let mut done = Vec::with_capacity(parts.len());
    poll_fn(|cx| {
        let mut is_end = false;
        for (place, part) in parts.iter_mut().enumerate() {
            if is_end {
                break;
            }
            if let Some(result) = part.poll(cx, |work| hand_over(place, work)) {
                is_end = ends(&result);
                done.push((place, result));
            }
        }
        if is_end || parts.iter().all(|part| part.work.is_none()) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    done
}

impl<T> Part<T> {
    fn poll(&mut self, cx: &mut Context<'_>, hand_over: impl FnOnce(Work<T>)) -> Option<T> {
        let polled = self.work.as_mut()?.as_mut().poll(cx);
        if let Poll::Ready(result) = polled {
            self.work = None;
            return Some(result);
        }
        if self.leaves.load(Ordering::Relaxed) {
            self.work.take().map(hand_over);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    fn part<T>(work: impl Future<Output = T> + Send + 'static, leaves: bool) -> Part<T> {
        Part {
            work: Some(Box::pin(work)),
            leaves: Arc::new(AtomicBool::new(leaves)),
        }
    }

    #[tokio::test]
    async fn the_order_is_that_of_finishing() {
        let (tell, told) = tokio::sync::oneshot::channel::<()>();
        let first = part(async { told.await.map_or("untold", |()| "first") }, false);
        let second = part(
            async { tell.send(()).map_or("unheard", |()| "second") },
            false,
        );
        let done = together(vec![first, second], |_| false, |_, _| {}).await;
        assert_eq!(done, [(1, "second"), (0, "first")]);
    }

    #[tokio::test]
    async fn whoever_leaves_is_handed_over_and_whoever_ends_it_ends_it() {
        let parts = vec![
            part(pending(), true),
            part(pending(), false),
            part(ready(2), false),
            part(ready(3), false),
        ];
        let mut left = Vec::new();
        let done = together(parts, |done| *done == 2, |place, _| left.push(place)).await;
        assert_eq!((done, left), (vec![(2, 2)], vec![0]));
        let nothing = together(Vec::<Part<()>>::new(), |()| false, |_, _| {}).await;
        assert!(nothing.is_empty());
    }
}
