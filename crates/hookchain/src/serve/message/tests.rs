use super::*;

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(future)
}

fn secret(digit: &str) -> Secret {
    digit.repeat(64).try_into().expect("64 digits")
}

/// The seals of both ends of one connection.
fn seals() -> [Seal; 2] {
    [(), ()].map(|()| Seal::new(&secret("a"), "n", &[1; 32], &[2; 32]))
}

fn body(bytes: &[u8]) -> Body {
    run(frame::read(&mut &*bytes, MAX_BODY)).expect("whole")
}

/// What both ends of a greeting come to.
fn greeted(
    (wanted, of_bridge): (&str, &str),
    (name, of_server): (&str, &str),
) -> (io::Result<Seal>, io::Result<Seal>) {
    run(async {
        let (mut bridge, mut server) = tokio::io::duplex(4096);
        let (bridge_secret, server_secret) = (secret(of_bridge), secret(of_server));
        let server = async {
            let welcomed = welcome(&mut server, name, &server_secret).await;
            drop(server);
            welcomed
        };
        tokio::join!(greet(&mut bridge, wanted, &bridge_secret), server)
    })
}

#[test]
fn two_that_have_read_the_same_record_know_each_other() {
    let (bridge, server) = greeted(("n", "a"), ("n", "a"));
    let (mut bridge, mut server) = (bridge.expect("proven"), server.expect("greeted"));
    let question = question(b"{}");
    let bytes = question.sealed(&mut bridge).expect("small");
    Question::open(&body(&bytes), &mut server).expect("the mark fits");
    let bytes = Reply::Taken.sealed(&mut server).expect("small");
    let reply = run(Reply::read(&mut &*bytes, &mut bridge));
    assert_eq!(reply.expect("the mark fits"), Reply::Taken);
}

#[test]
fn a_server_without_the_secret_proves_nothing() {
    let (bridge, server) = greeted(("n", "a"), ("n", "b"));
    let error = bridge.expect_err("the mark does not fit");
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    // It cannot know whom it speaks to; the question will not fit.
    let question = question(b"{}").sealed(&mut seals()[0]).expect("small");
    let mut server = server.expect("greeted");
    let error = Question::open(&body(&question), &mut server).expect_err("no mark of this secret");
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    let (bridge, server) = greeted(("m", "a"), ("n", "a"));
    assert!(bridge.is_err() && server.is_err());
}

fn question(payload: &[u8]) -> Question<'_> {
    Question {
        bridge: Bridge::CLAUDE,
        attendance: Attendance::Unknown,
        within: Duration::from_secs(7),
        payload,
    }
}

#[test]
fn what_is_asked_comes_back() {
    for bridge in Bridge::ALL {
        for attendance in Attendance::ALL {
            let question = Question {
                bridge,
                attendance,
                ..question(b"{}\xff")
            };
            let [mut of_bridge, mut of_server] = seals();
            let bytes = question.sealed(&mut of_bridge).expect("small");
            let body = body(&bytes);
            let read = Question::open(&body, &mut of_server).expect("read");
            assert!(std::ptr::eq(read.bridge, bridge));
            assert_eq!(read.attendance, attendance);
            assert_eq!(read.within, question.within);
            assert_eq!(read.payload, question.payload);
        }
    }
}

#[test]
fn what_is_too_large_is_not_sent() {
    let large = vec![b' '; MAX_BODY];
    assert!(question(&large).is_too_large());
    let fits = question(&large[MAX_GREETING..]);
    assert!(!fits.is_too_large());
    let words = ["ask", "claude", "unattended", "18446744073709551615"];
    let others: usize = words.iter().map(|word| word.len() + 4).sum();
    assert!(others + 4 + size_of::<Mark>() + 4 < MAX_GREETING);
}

#[test]
fn a_question_of_another_version_is_none() {
    for fields in [
        // As versions before the budget was said with it asked.
        &[&b"ask"[..], b"claude", b"", b"{}"][..],
        &[b"ask", b"claude", b"perhaps", b"7", b"{}"],
        &[b"ask", b"claude", b"", b"7", b"{}"],
        &[b"ask", b"other", b"attended", b"7", b"{}"],
        &[b"ask", b"claude", b"attended", b"-7", b"{}"],
        &[b"ask", b"claude", b"attended", b"7", b"{}", b""],
        &[b"beg", b"claude", b"attended", b"7", b"{}"],
    ] {
        let [mut of_bridge, mut of_server] = seals();
        let bytes = sealed(&mut of_bridge, Side::Bridge, fields).expect("small");
        let body = body(&bytes);
        let read = Question::open(&body, &mut of_server);
        assert!(read.is_err(), "{fields:?}");
    }
}

#[test]
fn what_is_said_comes_back_and_counts_once_and_from_the_server_alone() {
    let (stdout, other) = (|| "{}\n".to_owned(), || "no\n".to_owned());
    for reply in [
        Reply::Taken,
        Reply::Answer(Answer::Nothing { stdout: stdout() }),
        Reply::Answer(Answer::Said {
            stdout: stdout(),
            otherwise: other(),
        }),
        Reply::Answer(Answer::Refused {
            stdout: stdout(),
            stderr: other(),
        }),
    ] {
        let [mut of_server, mut of_bridge] = seals();
        let bytes = reply.sealed(&mut of_server).expect("small");
        let read = run(Reply::read(&mut &*bytes, &mut of_bridge)).expect("read");
        assert_eq!(read, reply);
        assert!(
            run(Reply::read(&mut &*bytes, &mut of_bridge)).is_err(),
            "twice"
        );
        for at in 12..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            let [_, mut of_bridge] = seals();
            let read = run(Reply::read(&mut &*changed, &mut of_bridge));
            assert!(read.is_err(), "{reply:?} {at}");
        }
    }
}

#[test]
fn a_server_without_memory_has_not_heard_the_mark_of_the_question() {
    let [mut of_server, mut of_bridge] = seals();
    question(b"{}").sealed(&mut of_bridge).expect("small");
    let bytes = Reply::Busy.sealed(&mut of_server).expect("small");
    let read = run(Reply::read(&mut &*bytes, &mut of_bridge));
    assert_eq!(read.expect("read"), Reply::Busy);
}

#[test]
fn what_is_not_known_is_no_answer() {
    for (side, fields) in [
        (Side::Server, &[][..]),
        (Side::Server, &[&b"allow"[..]]),
        (Side::Server, &[b"nothing"]),
        (Side::Server, &[b"nothing", b"\xff"]),
        (Side::Bridge, &[b"nothing", b""]),
    ] {
        let [mut of_server, mut of_bridge] = seals();
        let bytes = sealed(&mut of_server, side, fields).expect("small");
        let read = run(Reply::read(&mut &*bytes, &mut of_bridge));
        assert!(read.is_err(), "{fields:?}");
        // The same without a mark.
        let bytes = frame::encode(fields).expect("small");
        assert!(run(Reply::read(&mut &*bytes, &mut of_bridge)).is_err());
    }
}
