use super::*;

/// A made-up run of `length` characters as they are drawn at random.
fn drawn(length: usize) -> String {
    const CHARACTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).unwrap_or_default() % CHARACTERS.len();
        char::from(CHARACTERS[at])
    };
    (0..length).map(|_| next()).collect()
}

fn part<'a>(text: &'a str, found: &Found) -> &'a str {
    text.get(found.start..found.end)
        .expect("a part of the text")
}

#[track_caller]
fn found(text: &str) -> Vec<(&str, String)> {
    let all = Shapes::default().find_all(text);
    all.into_iter()
        .map(|one| (part(text, &one), one.kind.into_owned()))
        .collect()
}

#[test]
fn each_mark_of_the_table_is_found_whatever_stands_around_it() {
    let mut count = 0;
    for rule in &TABLE.rules {
        let Rule::Prefix(_) = rule else { continue };
        let token = format!("{}{}7q", rule.keyword(), drawn(300));
        for text in [
            token.clone(),
            format!("use {token} now"),
            format!("\"{token}\""),
            format!("x('{token}');"),
            format!(r"a\n{token}\n"),
            format!("<k>{token}</k>"),
        ] {
            let all = Shapes::default().find_all(&text);
            let is_covered = all.iter().any(|one| part(&text, one).contains(&drawn(300)));
            assert!(is_covered, "{text}: {all:?}");
        }
        count += 1;
    }
    assert!(count > 180, "{count}");
}

#[test]
fn a_value_beside_the_name_of_its_maker_is_found() {
    let value = "a8f0k3m5q7s9v1x3z5b7d9g1h3j5k7m9n1p3r5t7";
    for text in [
        format!("datadog: {value}"),
        format!("DATADOG_APP = '{value}'"),
        format!(r#"{{\"datadog\":\"{value}\"}}"#),
    ] {
        assert_eq!(
            found(&text),
            [(value, "datadog-access-token".to_owned())],
            "{text}"
        );
    }
    assert_eq!(
        found("datadog: d0be2dc421be4fcd0172e5afceea3970e2f3d940"),
        []
    );
}

#[test]
fn a_secret_around_a_keyword_is_found() {
    let bot = format!("bot {}:AA{}", 712_345_678, drawn(33));
    assert_eq!(
        found(&bot),
        [(bot.trim_start_matches("bot "), "telegram-token".to_owned())]
    );
    let hook = format!(
        "https://hooks.slack.com/services/T0{}/B0{}/{}",
        drawn(8),
        drawn(8),
        drawn(24)
    );
    assert_eq!(found(&hook), [(hook.as_str(), "slack-token".to_owned())]);
}

#[test]
fn structures_are_found() {
    assert_eq!(
        found("send Bearer abcdefghijkl"),
        [("abcdefghijkl", "bearer".to_owned())]
    );
    assert_eq!(
        found("ftp://u:pa/ss#1@h/x"),
        [("pa/ss#1", "url-password".to_owned())]
    );
    assert_eq!(
        found("redis://:abc@h"),
        [("abc", "url-password".to_owned())]
    );
    let key = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII\n-----END ENCRYPTED PRIVATE KEY-----";
    assert_eq!(
        found(&format!("Bearer {key} x")).last(),
        Some(&(key, "private-key".to_owned()))
    );
}

#[test]
fn what_is_no_secret_is_not_found() {
    let integrity = "sha512-dapi9kV0Wm1Tz8Lr5Qx2Yc7Nb4Jh6Gf3Ds0Aa/SKPo1Iu2Yt3Re4Wq5Lk6Jh7Gf8Ds9AaZxCvBnMqWeRtYuIoP==";
    for text in [
        integrity,
        "git show d0be2dc421be4fcd0172e5afceea3970e2f3d940",
        "4b1d8cd98f00b204e9800998ecf8427ed41d8cd98f00b204e9800998ecf8427e",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "123e4567-e89b-12d3-a456-426614174000",
        "discord: 123e4567-e89b-12d3-a456-426614174000",
        "/usr/share/npm_modules/sk-learn-contrib-extra-tools/x.py",
        "npm_package_config_registry_url_default=1",
        "pypi-attestations-verification-models",
        "sk-learn-and-other-names-of-a-package-2",
        "s.handleTheRequestWithTimeout() pk.encode",
        "hf_transfer_of_a_large_model_v2_to_disk",
        "cioppino and dapir",
        "http://localhost:8080/a/b?c=d#e@f https://[::1]:80/@x",
        "https://registry.example/@types/node/-/node-20.1.0.tgz",
        "Basic authentication. Bearer tokens",
        "task-list-of-a-very-long-name-indeed",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn no_text_is_gone_through_again_and_again() {
    let marks = TABLE.rules.iter().map(Rule::keyword);
    for piece in marks.chain(["://a:", "-----BEGIN PRIVATE KEY-----", "eyJ.", "sk-sk_"]) {
        let text = piece.repeat((1 << 14) / piece.len());
        let all = Shapes::default().find_all(&text);
        assert!(all.len() <= text.len());
    }
}
