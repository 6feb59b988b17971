use std::{
    sync::Arc,
    thread,
    time::{Instant, SystemTime},
};

use hook_contract::{HookCall, HookEvent, HookRequest};
use hook_runner::{Identity, Origin};

use super::*;
use crate::message::{Begun, Ended, Invoked};

const PATIENCE: Duration = Duration::from_secs(60);

fn request(bytes: usize) -> HookRequest {
    let input = format!("\"{}\"", "x".repeat(bytes));
    let call = HookCall::new("agent-1", "shell", "call-1", input);
    HookRequest::from_call(HookEvent::PreToolUse, "/repo".as_ref(), &call)
}

fn begun(consultation: u64, bytes: usize) -> Message {
    let what = What::Begun(Box::new(Begun {
        since: Instant::now(),
        request: request(bytes).into(),
        turn: None,
    }));
    Message { consultation, what }
}

fn invoked(consultation: u64, bytes: usize) -> Message {
    let what = What::Invoked(Box::new(Invoked {
        at: SystemTime::now(),
        who: Identity::new("interceptor", "any", Origin::Host),
        pass: 1,
        request: request(bytes).into(),
    }));
    Message { consultation, what }
}

fn ended(consultation: u64) -> Message {
    let what = What::Ended(Box::new(Ended {
        at: SystemTime::now(),
        until: Instant::now(),
        result: None,
    }));
    Message { consultation, what }
}

fn kinds(batch: &Batch) -> String {
    let kinds = batch.messages.iter().map(|message| {
        let letter = match message.what {
            What::Begun(_) => 'b',
            What::Invoked(_) => 'i',
            What::Answered(_) => 'a',
            What::Ended(_) => 'e',
            What::Cut => 'c',
        };
        format!("{}{letter}", message.consultation)
    });
    kinds.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_consultation_that_begins_when_the_queue_is_full_is_not_taken_at_all() {
    let queue = Queue::new(1000);
    queue.offer(begun(1, 600));
    queue.offer(begun(2, 1));
    queue.offer(invoked(2, 1));
    queue.offer(invoked(1, 1));
    queue.offer(ended(2));
    queue.offer(ended(1));
    let batch = queue.take();
    assert_eq!((kinds(&batch).as_str(), batch.dropped), ("1b 1i 1e", 2));
    assert!(!batch.is_last);
    queue.settle(3, batch.weight);
    queue.offer(begun(2, 1));
    assert_eq!(kinds(&queue.take()), "2b", "there is room again");
    let state = queue.lock();
    assert!(state.refused.is_empty(), "{:?}", state.refused);
}

#[test]
fn a_consultation_that_grows_past_twice_the_limit_is_cut() {
    let queue = Queue::new(2000);
    queue.offer(begun(1, 100));
    queue.offer(invoked(1, 4000));
    queue.offer(invoked(1, 1));
    queue.offer(ended(1));
    let batch = queue.take();
    assert_eq!((kinds(&batch).as_str(), batch.dropped), ("1b 1c", 3));
    assert!(queue.lock().refused.is_empty());
}

#[test]
fn what_the_writer_has_not_settled_counts_as_waiting() {
    let queue = Queue::new(1000);
    queue.offer(begun(1, 600));
    let batch = queue.take();
    queue.offer(begun(2, 1));
    queue.offer(ended(2));
    queue.settle(1, batch.weight);
    queue.offer(begun(3, 1));
    let batch = queue.take();
    assert_eq!((kinds(&batch).as_str(), batch.dropped), ("3b", 1));
}

#[test]
fn a_writer_that_is_gone_holds_nothing_and_everything_is_counted() {
    let queue = Queue::new(1 << 20);
    queue.offer(begun(1, 1));
    queue.offer(invoked(1, 1));
    queue.writer_is_gone();
    assert!(queue.flush(Duration::ZERO) && queue.close(Duration::ZERO));
    queue.offer(ended(1));
    queue.offer(begun(2, 1));
    queue.offer(ended(2));
    assert_eq!(queue.dropped(), 3);
    assert!(queue.lock().messages.is_empty());
}

/// What a writer does, without writing; gives how many messages there were.
fn settle_all(queue: &Queue) -> usize {
    let mut count = 0;
    loop {
        let batch = queue.take();
        count += batch.messages.len();
        queue.settle(batch.messages.len() as u64, batch.weight);
        if batch.is_last {
            queue.writer_is_gone();
            return count;
        }
    }
}

#[test]
fn whoever_waits_is_told_when_everything_is_settled() {
    let queue = Arc::new(Queue::new(1 << 20));
    let writer = thread::spawn({
        let queue = Arc::clone(&queue);
        move || settle_all(&queue)
    });
    for number in 0..100 {
        queue.offer(begun(number, 1));
        queue.offer(ended(number));
        assert!(number % 10 != 0 || queue.flush(PATIENCE));
    }
    assert!(queue.close(PATIENCE));
    assert_eq!(writer.join().expect("no panic"), 200);
}

#[test]
fn patience_ends() {
    let queue = Queue::new(1 << 20);
    queue.offer(begun(1, 1));
    assert!(!queue.flush(Duration::from_millis(1)));
    assert!(!queue.close(Duration::from_millis(1)));
    assert!(queue.rest(PATIENCE), "it is to end, and does not rest");
}
