//! The example says what its page says.

#[path = "../examples/guarded_agent.rs"]
#[expect(dead_code, reason = "its `main` is for running it")]
#[cfg(test)]
mod guarded_agent;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::guarded_agent::conversation;

    #[tokio::test]
    async fn the_example_shows_a_denied_call_a_rewritten_one_and_a_redacted_result() {
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/demo");
        let conversation = conversation(Path::new(demo)).await.expect("a conversation");
        insta::assert_snapshot!(conversation);
    }
}
