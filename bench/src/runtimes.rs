//! The two kinds of tokio runtime.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// A `current_thread` and a `multi_thread` runtime, each with its name.
///
/// # Errors
///
/// When the system has no threads or descriptors left.
pub fn both() -> io::Result<[(&'static str, Runtime); 2]> {
    Ok([
        (
            "current_thread",
            Builder::new_current_thread().enable_all().build()?,
        ),
        (
            "multi_thread",
            Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()?,
        ),
    ])
}
