use std::{
    future::poll_fn,
    pin::pin,
    task::Wake,
    thread::{Thread, current, park},
};

use tokio::runtime::Builder;

use super::*;

const SHORT: Duration = Duration::from_millis(20);

/// Rings in no runtime but this one: a thread that parks.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => park(),
        }
    }
}

/// How long the alarm took to ring.
async fn rings(alarm: Option<Alarm>) {
    let mut alarm = alarm.expect("an alarm");
    poll_fn(|cx| alarm.poll(cx)).await;
}

fn is_timer(alarm: Option<&Alarm>) -> bool {
    matches!(alarm, Some(Alarm::Timer(_)))
}

#[test]
fn an_alarm_is_the_runtimes_own_timer_where_there_is_one() {
    for mut runtime in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        let runtime = runtime.enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let alarm = Alarm::after(SHORT);
            assert!(is_timer(alarm.as_ref()));
            rings(alarm).await;
        });
    }
}

#[test]
fn an_alarm_rings_in_a_runtime_that_keeps_no_time() {
    for mut runtime in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        let runtime = runtime.build().expect("a runtime");
        runtime.block_on(async {
            let alarm = Alarm::after(SHORT);
            assert!(!is_timer(alarm.as_ref()));
            rings(alarm).await;
        });
    }
}

#[test]
fn an_alarm_rings_without_a_runtime() {
    let since = std::time::Instant::now();
    block_on(async { rings(Alarm::after(SHORT)).await });
    assert!(since.elapsed() >= SHORT);
}

#[test]
fn an_alarm_that_is_asked_late_has_rung() {
    block_on(async {
        let mut alarm = Alarm::after(Duration::ZERO).expect("an alarm");
        while alarm
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
        {
            thread::yield_now();
        }
    });
}

#[test]
fn a_time_that_no_clock_can_tell_never_rings() {
    assert!(Alarm::after(Duration::MAX).is_none());
}

#[test]
fn the_thread_of_an_alarm_ends_with_it() {
    let watch = Watch::start(Duration::from_secs(600));
    let shared = Arc::downgrade(&watch.0);
    assert!(watch.poll(&Context::from_waker(Waker::noop())).is_pending());
    drop(watch);
    // The thread held it as well.
    while shared.upgrade().is_some() {
        thread::yield_now();
    }
}

#[tokio::test(start_paused = true)]
async fn an_alarm_keeps_the_time_of_a_paused_clock() {
    let since = Instant::now();
    rings(Alarm::after(Duration::from_secs(600))).await;
    assert_eq!(since.elapsed().as_secs(), 600);
}
