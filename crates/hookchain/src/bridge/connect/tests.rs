use tokio::net::UnixListener;

use super::*;
use crate::serve::{MAX_BODY, read, welcome};

/// What is said by a process of which the record is: this one.
struct Fake {
    folder: tempfile::TempDir,
    identity: Identity,
    record: Record,
}

/// How a server ends that says this.
#[derive(Clone, Copy)]
enum Then {
    HangsUp,
    Waits,
}

/// What a server says in a connection.
type Says<'a> = &'a dyn Fn(&mut Seal) -> Vec<u8>;

const PAYLOAD: &[u8] = br#"{"tool_name":"Bash"}"#;

impl Fake {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let identity = Identity::of(folder.path()).expect("named");
        let record = Record::new(&identity).expect("random");
        Self {
            folder,
            identity,
            record,
        }
    }

    /// What a bridge makes of a server that hears it and says this.
    fn heard(&self, says: Says<'_>, then: Then) -> Exchange {
        let socket = self.folder.path().join("socket");
        let question = Question {
            bridge: Bridge::CLAUDE,
            attendance: Attendance::Unknown,
            within: Duration::from_secs(60),
            payload: PAYLOAD,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let heard = runtime.expect("a runtime").block_on(async {
            let listener = UnixListener::bind(&socket).expect("bound");
            let exchange = exchange(&socket, &self.record, &self.identity, &question);
            tokio::select! {
                exchange = exchange => exchange,
                () = self.serve(listener, says, then) => Exchange::Late,
            }
        });
        std::fs::remove_file(&socket).expect("removed");
        heard
    }

    /// Serves one bridge, and never ends.
    async fn serve(&self, listener: UnixListener, says: Says<'_>, then: Then) {
        let (mut stream, _nameless) = listener.accept().await.expect("connected");
        let served = self.say(&mut stream, says).await;
        match then {
            Then::HangsUp => drop(stream),
            Then::Waits => served.expect("heard"),
        }
        std::future::pending::<()>().await;
    }

    async fn say(&self, stream: &mut UnixStream, says: Says<'_>) -> io::Result<()> {
        let secret = self.record.secret();
        let mut seal = welcome(stream, self.identity.name(), secret).await?;
        let body = read(stream, MAX_BODY).await?;
        let heard = Question::open(&body, &mut seal).expect("the mark fits");
        assert_eq!(heard.payload, PAYLOAD);
        stream.write_all(&says(&mut seal)).await
    }
}

fn nothing() -> Answer {
    Answer::Nothing {
        stdout: String::new(),
    }
}

fn sealed(replies: &[Reply], seal: &mut Seal) -> Vec<u8> {
    let bytes = replies.iter().map(|reply| reply.sealed(seal));
    bytes
        .map(|bytes| bytes.expect("small"))
        .collect::<Vec<_>>()
        .concat()
}

fn allows() -> [Reply; 2] {
    [Reply::Taken, Reply::Answer(nothing())]
}

#[test]
fn no_part_of_an_answer_is_one() {
    let fake = Fake::new();
    // One that is whole is believed, so that the others are refused for what they lack.
    let whole = fake.heard(&|seal| sealed(&allows(), seal), Then::HangsUp);
    assert!(matches!(whole, Exchange::Answered(answer) if answer == nothing()));
    let length = sealed(&allows(), &mut seal(&fake)).len();
    for end in 0..length {
        let cut = |seal: &mut Seal| {
            let mut bytes = sealed(&allows(), seal);
            bytes.truncate(end);
            bytes
        };
        let heard = fake.heard(&cut, Then::HangsUp);
        assert!(
            matches!(heard, Exchange::Gone | Exchange::Doubt(Doubt::Lost)),
            "{end}"
        );
    }
}

/// The seal of some connection.
fn seal(fake: &Fake) -> Seal {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(async {
        let (mut bridge, mut server) = tokio::io::duplex(4096);
        let (name, secret) = (fake.identity.name(), fake.record.secret());
        let (seal, _bridge) = tokio::join!(
            welcome(&mut server, name, secret),
            greet(&mut bridge, name, secret)
        );
        seal.expect("greeted")
    })
}

#[test]
fn an_answer_counts_in_its_place_and_with_its_mark() {
    let fake = Fake::new();
    let answer = || Reply::Answer(nothing());
    let foreign = sealed(&allows(), &mut seal(&fake));
    let strange: [Says<'_>; 6] = [
        &|seal| sealed(&[answer()], seal),
        &|seal| sealed(&[answer(), Reply::Taken], seal),
        &|seal| sealed(&[Reply::Taken, Reply::Taken], seal),
        &|seal| sealed(&[Reply::Taken, Reply::Busy], seal),
        // The mark of another connection, with the same secret.
        &|_seal| foreign.clone(),
        &|_seal| b"{\"decision\":\"allow\"}\n".to_vec(),
    ];
    for (index, says) in strange.into_iter().enumerate() {
        let heard = fake.heard(says, Then::HangsUp);
        assert!(
            matches!(heard, Exchange::Doubt(Doubt::Lost | Doubt::Unproven)),
            "{index}"
        );
    }
    let busy = fake.heard(&|seal| sealed(&[Reply::Busy], seal), Then::HangsUp);
    assert!(matches!(busy, Exchange::Doubt(Doubt::Busy)));
    let silent = fake.heard(&|_seal| Vec::new(), Then::Waits);
    assert!(matches!(silent, Exchange::Doubt(Doubt::Silent)));
}

#[test]
fn another_process_is_told_nothing_and_not_believed() {
    let mut fake = Fake::new();
    fake.record.pid = 1;
    let heard = fake.heard(&|_seal| panic!("it is told of the call"), Then::HangsUp);
    assert!(matches!(heard, Exchange::Doubt(Doubt::OtherProcess)));
}
