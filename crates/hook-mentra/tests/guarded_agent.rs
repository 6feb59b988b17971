//! The example says what its page says.

#[path = "../examples/guarded_agent.rs"]
#[expect(dead_code, reason = "its `main` is for running it")]
#[cfg(test)]
mod guarded_agent;

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use hook_audit::{Reader, Record};

    use super::guarded_agent::{conversation, recorder};

    #[tokio::test]
    async fn the_example_shows_a_denied_call_a_rewritten_one_and_a_redacted_result() {
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/demo");
        let records = tempfile::tempdir().expect("a directory");
        let audit = recorder(records.path().to_owned()).expect("a recorder");
        let conversation = conversation(Path::new(demo), Some(audit.clone()))
            .await
            .expect("a conversation");
        insta::assert_snapshot!(conversation);

        let closed = audit.close(Duration::from_secs(60));
        assert_eq!((closed.lost, closed.is_settled), (0, true));
        insta::assert_snapshot!("recorded", recorded(records.path()));
    }

    /// What became of each call, and who said what, without what differs from run to run.
    fn recorded(directory: &Path) -> String {
        let mut reader = Reader::open(directory).expect("records");
        let (mut lines, mut asked) = (Vec::new(), String::new());
        while let Some(line) = reader.next_line().expect("a line") {
            assert!(
                !String::from_utf8_lossy(line.bytes()).contains("ghp_"),
                "a token is masked"
            );
            match line.record().expect("a record") {
                Record::Invoked(invoked) => asked = invoked.name,
                Record::Result(result) => {
                    lines.push(format!("{asked}: {}", result.decision.as_str()));
                }
                Record::Consultation(ended) => {
                    let input = ended.input.value.expect("kept");
                    let (outcome, input) = (ended.outcome.as_str(), input.text());
                    lines.push(format!("{} {input}: {outcome}", ended.point));
                }
                other @ (Record::Lost(_) | _) => panic!("{other:?}"),
            }
        }
        lines.join("\n")
    }
}
