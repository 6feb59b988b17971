use proptest::prelude::*;

use super::*;

mod harmless;
mod variants;

#[track_caller]
fn text(given: &str, masked: &str) {
    assert_eq!(Redaction::default().mask_text(given).0, masked);
}

#[track_caller]
fn json(given: &str, masked: &str) {
    let found = mask_json(&Redaction::default(), given);
    let found = found.map_or_else(|| given.to_owned(), |(masked, _)| masked);
    assert_eq!(found, masked);
}

#[test]
fn a_name_is_secret_by_its_words() {
    let redaction = Redaction::default();
    for name in [
        "password",
        "PASSWORD",
        "db_password",
        "passwordHash",
        "accessToken",
        "OPENAI_API_KEY",
        "x-api-key",
        "APIKey",
        "apikey",
        "AWS_SECRET_ACCESS_KEY",
        "Set-Cookie",
        "proxy-authorization",
        "session.id",
    ] {
        assert!(redaction.hides(name), "{name}");
    }
    for name in [
        "",
        "max_tokens",
        "tokenizer",
        "secretary",
        "key",
        "api",
        "keyboard",
        "monkey",
        "id",
        "command",
        "bypass",
    ] {
        assert!(!redaction.hides(name), "{name}");
    }
}

#[test]
fn names_can_be_added_and_taken_away() {
    let redaction = Redaction::default()
        .with_key("Badge-Number")
        .without_key("COOKIE");
    assert!(redaction.hides("badgeNumber") && redaction.hides("my_badge_number"));
    assert!(!redaction.hides("badge") && !redaction.hides("cookie"));
    let none = Redaction::none();
    assert!(!none.hides("password"));
    let key = format!("ghp_{} --password x", "a".repeat(36));
    assert_eq!(none.mask_text(&key), (Cow::Borrowed(key.as_str()), 0));
}

#[test]
fn well_known_secrets_are_found_in_text() {
    let github = format!("git clone with ghp_{} now", "aB3".repeat(12));
    text(&github, "git clone with [masked:github-token] now");
    text("id AKIAIOSFODNN7EXAMPLE.", "id [masked:aws-key].");
    text("AKIAIOSFODNN7EXAMPLEX", "AKIAIOSFODNN7EXAMPLEX");
    let model = format!("k=sk-ant-{}", "x_-9".repeat(10));
    text(&model, "k=[masked:model-key]");
    text(
        "xoxb-1234567890-abc (é) glpat-abcdefghij0123456789",
        "[masked:slack-token] (é) [masked:gitlab-token]",
    );
    text(
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "[masked:jwt]",
    );
    text(
        "eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxIn0",
        "eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxIn0",
    );
    text(
        "postgres://app:hunter2@db.internal/x and https://host/a:b@c",
        "postgres://app:[masked:url-password]@db.internal/x and https://host/a:b@c",
    );
    text("http://u:$PASS@h", "http://u:$PASS@h");
    text(
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest",
        "[masked:private-key]\nrest",
    );
    text(
        "a -----BEGIN PRIVATE KEY-----\nMIIE cut",
        "a [masked:private-key]",
    );
    text(
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    );
    let task = "the task-list-of-a-very-long-name-indeed";
    text(task, task);
}

#[test]
fn values_that_follow_a_secret_name_are_masked_in_text() {
    text("PASSWORD=hunter2 make", "PASSWORD=[masked] make");
    text("a?token=abc&page=2", "a?token=[masked]&page=2");
    text(
        "export API_TOKEN='a b'; ls",
        "export API_TOKEN='[masked]'; ls",
    );
    text(
        "mysql --password hunter2 -h db",
        "mysql --password [masked] -h db",
    );
    text("x --token=abc", "x --token=[masked]");
    text(
        "curl -H \"Authorization: Bearer abcdefghijkl\" u",
        "curl -H \"Authorization: [masked]\" u",
    );
    text("send Bearer abcdefghijkl", "send Bearer [masked:bearer]");
    text(
        r#"sent {"password": "x\"y", "n": 1}"#,
        r#"sent {"password": "[masked]", "n": 1}"#,
    );
    text(
        r#"{\"token\":\"a\\\"bc\",\"n\":1}"#,
        r#"{\"token\":\"[masked]\",\"n\":1}"#,
    );
    text("token: abc def\nnext", "token: [masked]\nnext");
    for untouched in [
        "TOKEN=$TOKEN ./run",
        "if token == other",
        "token := read()",
        "Token::new",
        "secret=",
        "--password -h db",
        "--password",
        "the token: ",
        "\"token\":null",
    ] {
        text(untouched, untouched);
    }
}

#[test]
fn json_is_masked_by_name_and_by_shape_and_otherwise_stays_as_it_was_written() {
    json(
        r#"{"a":1.00,"password":"x","b":[{"api_key":{"k":["}"]}},{"token":12}],"c":"é\n"}"#,
        r#"{"a":1.00,"password":"[masked]","b":[{"api_key":"[masked]"},{"token":"[masked]"}],"c":"é\n"}"#,
    );
    json(
        r#"{"token":null,"secret":"","password":true,"x":"token"}"#,
        r#"{"token":null,"secret":"","password":true,"x":"token"}"#,
    );
    json(
        r#"{"command":"export TOKEN=\"a\\b\" && ls"}"#,
        r#"{"command":"export TOKEN=\"[masked]\" && ls"}"#,
    );
    json(r#""PASSWORD=hunter2""#, r#""PASSWORD=[masked]""#);
    json(r#"["a","token","b"]"#, r#"["a","token","b"]"#);
    json(
        r#"{"p\u0061ssword":"x"}"#,
        r#"{"p\u0061ssword":"[masked]"}"#,
    );
    json("17", "17");
}

#[test]
fn no_text_is_gone_through_again_and_again() {
    // What grows with the square of the length would take minutes.
    let pieces = [
        "eyJ-",
        "eyJ.",
        "token:$",
        "token=$",
        "token:\"$",
        "token:\"",
        "--token $",
        "://a:",
        "-----BEGIN ",
        "sk-",
        "x",
        "-----BEGIN PRIVATE KEY",
        "Bearer ",
        "AKIA",
        "\"",
        "token",
        "= ",
        ":",
        "--",
        "token: ",
        "\\",
        " :",
        "token: |\n",
        " token: |\n",
        "<token>",
        "-u \"",
        "-u \"a:$",
        "password '",
        "password: \"\\\"",
        "token => ",
        "token==",
        "[",
        "[\"token\",",
        "{\"value\":",
        "; pwd=$",
        "\n{",
        "('token','",
        "-u:$",
        " -ua:$",
        "aB3x\n-----END PRIVATE KEY-----",
        "-----END ",
        "\n\\n",
        "data:\n a: b\n",
        "<a value=\"",
        "<a value='x",
        " name: x\n value: y\n",
        " k=v",
        "vault put k=$",
        "sqlplus a1/b2c3d4e5 ",
        "printf 'TOKEN=%s ",
        "MTIz.GaBcDe.",
    ];
    for piece in pieces {
        let text = piece.repeat((1 << 16) / piece.len());
        let (masked, _) = Redaction::default().mask_text(&text);
        assert!(!masked.is_empty());
        let json = serde_json::Value::from(text).to_string();
        let masked = mask_json(&Redaction::default(), &json);
        assert!(masked.is_none_or(|(masked, _)| masked.len() > 2));
    }
}

proptest! {
    #[test]
    fn what_comes_out_of_masking_is_json_with_the_same_names(
        value in any_json(),
    ) {
        let text = value.to_string();
        let masked = mask_json(&Redaction::default(), &text).map_or(text, |(masked, _)| masked);
        let masked: serde_json::Value = serde_json::from_str(&masked).expect("JSON");
        prop_assert!(same_names(&value, &masked), "{value} became {masked}");
    }

    #[test]
    fn masking_any_text_takes_nothing_but_what_it_masks(text in "[-a-zé=:\"' \\\\\\n.@/tokenpasswd_]{0,60}") {
        let (masked, count) = Redaction::default().mask_text(&text);
        prop_assert_eq!(count == 0, masked == text);
        let mut rest = text.as_str();
        for piece in masked.split("[masked").map(|piece| piece.split_once(']').map_or(piece, |(_, rest)| rest)) {
            let found = rest.find(piece);
            prop_assert!(found.is_some(), "{} became {}", text, masked);
            rest = rest.split_at(found.unwrap_or_default() + piece.len()).1;
        }
    }
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "[a-z\"\\\\\\n{}\\[\\],:=é ]{0,12}".prop_map(Into::into),
        Just("token=abc \"x\"".into()),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let name = prop_oneof!["[a-z\"\\\\]{0,6}", Just("password".to_owned())];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::hash_map(name, inner, 0..5).prop_map(|members| members
                .into_iter()
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

/// Whether two values differ in nothing but texts and what was hidden.
fn same_names(before: &serde_json::Value, after: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Object, String};
    match (before, after) {
        (Object(a), Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, value)| b.get(name).is_some_and(|other| same_names(value, other)))
        }
        (Array(a), Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_names(a, b))
        }
        (_, String(_)) => true,
        _ => before == after,
    }
}

#[test]
fn a_value_is_named_by_the_member_before_it() {
    let masked = |text: &str| mask_json(&Redaction::default(), text).map(|(text, _)| text);
    assert_eq!(
        masked(r#"[{"name":"X-Api-Key","value":"a"},{"name":"Accept","value":"b"},{"value":"c"}]"#)
            .as_deref(),
        Some(
            r#"[{"name":"X-Api-Key","value":"[masked]"},{"name":"Accept","value":"b"},{"value":"c"}]"#
        )
    );
    assert_eq!(
        masked(
            r#"{"Key":"DB_PASSWORD","note":["n",{"value":"x"}],"Value":{"a":[1]},"values":["b"]}"#
        )
        .as_deref(),
        Some(
            r#"{"Key":"DB_PASSWORD","note":["n",{"value":"x"}],"Value":"[masked]","values":"[masked]"}"#
        )
    );
    assert_eq!(masked(r#"{"name":["password"],"value":"x"}"#), None);
    assert_eq!(masked(r#"{"note":"password","value":"x"}"#), None);
}

#[test]
fn all_of_a_secret_is_masked_and_not_only_its_first_word() {
    text("token=Bearer abc next", "token=[masked] next");
    text("--token Bearer abc next", "--token [masked] next");
    text("Authorization=Token abc&x=1", "Authorization=[masked]&x=1");
    text(
        "KEY=1 PRIVATE_KEY=-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest",
        "KEY=1 PRIVATE_KEY=[masked]\nrest",
    );
    text(
        "private_key: -----BEGIN PRIVATE KEY-----\n  MIIE\n  -----END PRIVATE KEY-----\nrest: 1",
        "private_key: [masked]\nrest: 1",
    );
    text(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ\n-----END PGP PRIVATE KEY BLOCK-----.",
        "[masked:private-key].",
    );
    text(
        "db:\n  password: |\n    hunter2\n\n    more\n  host: h",
        "db:\n  password: |\n    [masked]\n  host: h",
    );
    text("TOKEN=$'a\\'b' ls", "TOKEN=$'[masked]' ls");
    text("password=$2b$10$abc ls", "password=[masked] ls");
    text(
        "amqp://u:$1x@h amqp://u:${P}@h",
        "amqp://u:[masked:url-password]@h amqp://u:${P}@h",
    );
}

#[test]
fn secrets_are_found_as_languages_and_tools_write_them() {
    text(r#":password=>"hunter2""#, r#":password=>"[masked]""#);
    text(r#"token := "abc""#, r#"token := "[masked]""#);
    text("if token == 'abc' {", "if token == '[masked]' {");
    text("<password>a b</password>", "<password>[masked]</password>");
    text(
        "ALTER USER app PASSWORD 'a b'; CREATE USER b IDENTIFIED BY 'c'",
        "ALTER USER app PASSWORD '[masked]'; CREATE USER b IDENTIFIED BY '[masked]'",
    );
    text("curl -u app:hunter2 u", "curl -u app:[masked] u");
    text("curl --user='app:h 2' u", "curl --user='app:[masked]' u");
    text("java -password hunter2", "java -password [masked]");
    text(
        "export DB_PASS=a MYSQL_PWD=b; x --pass c",
        "export DB_PASS=[masked] MYSQL_PWD=[masked]; x --pass [masked]",
    );
    text("Uid=app;Pwd=a;x=1", "Uid=app;Pwd=[masked];x=1");
    text(
        "AccountName=x;AccountKey=a==;y=1",
        "AccountName=x;AccountKey=[masked];y=1",
    );
    text(
        "u?X-Amz-Signature=ab&sig=cd",
        "u?X-Amz-Signature=[masked]&sig=[masked]",
    );
    text("curl -uapp:hunter2 u", "curl -uapp:[masked] u");
    text("PGPASSWORD=a psql", "PGPASSWORD=[masked] psql");
    text("{apiKey: `a b`}", "{apiKey: `[masked]`}");
    text(
        "headers.set('Authorization', 'a b'); env(\"API_KEY\",\"c\")",
        "headers.set('Authorization', '[masked]'); env(\"API_KEY\",\"[masked]\")",
    );
    text(
        "https://abcdefghij0123456789@git.host/x ssh://git@host",
        "https://[masked:url-password]@git.host/x ssh://git@host",
    );
    for untouched in [
        "pick(user, 'password', 'email')",
        "f('password', 'a', 1)",
        "--- PASS: TestLogin (0.00s)",
        "PWD=/repo",
        "unexpected token ')'",
        "docker run -u 1000:1000 x",
        "git push -u origin main",
        "Vec<Token> x; y < z",
        "<token>${T}</token>",
        "password: |",
    ] {
        text(untouched, untouched);
    }
}

#[test]
fn secrets_are_found_in_lists() {
    json(
        r#"["mysql","--password","hunter2","-u","app:x","--token","-h","-token",12]"#,
        r#"["mysql","--password","[masked]","-u","app:[masked]","--token","-h","-token","[masked]"]"#,
    );
    json(
        r#"{"headers":[["X-Api-Key","a"],["Accept","b"],["token",7]],"env":["API_TOKEN=a b"]}"#,
        r#"{"headers":[["X-Api-Key","[masked]"],["Accept","b"],["token","[masked]"]],"env":["API_TOKEN=[masked] b"]}"#,
    );
    json(
        r#"[["the token","b"],["token","b","c"],["token",{"a":"b"}]]"#,
        r#"[["the token","b"],["token","b","c"],["token",{"a":"b"}]]"#,
    );
    json(
        r#"{"user":"u","pass":"p"}"#,
        r#"{"user":"u","pass":"[masked]"}"#,
    );
}

#[test]
fn a_value_is_named_by_the_member_after_it() {
    json(
        r#"[{"value":{"a":["x"]},"note":"token=a","name":"API_KEY","values":["z"]},{"value":"y","name":"A"}]"#,
        r#"[{"value":"[masked]","note":"token=[masked]","name":"API_KEY","values":"[masked]"},{"value":"y","name":"A"}]"#,
    );
    let counted = mask_json(
        &Redaction::default(),
        r#"{"value":"token=a","note":"token=b","name":"API_KEY"}"#,
    );
    assert_eq!(counted.map(|(_, count)| count), Some(2));
}

#[test]
fn json_in_a_text_is_masked_as_json_is() {
    text(
        "{ \"secrets\" : [ \"a\", \"b\" ] , \"p\\u0061ssword\":\n{ \"k\": 1 }, \"n\": 1.0 }\n",
        "{ \"secrets\" : \"[masked]\" , \"p\\u0061ssword\":\n\"[masked]\", \"n\": 1.0 }\n",
    );
    json(
        r#"{"body":"{\"name\":\"API_KEY\",\"value\":\"a\"}"}"#,
        r#"{"body":"{\"name\":\"API_KEY\",\"value\":\"[masked]\"}"}"#,
    );
    text("[token=a] x", "[token=[masked] x");
    text(
        "{\"a\":1}\n{\"auth\":\"x\",\"secrets\":[\"y\"]}\nTOKEN=z\n{\"b\":2}\n{",
        "{\"a\":1}\n{\"auth\":\"[masked]\",\"secrets\":\"[masked]\"}\nTOKEN=[masked]\n{\"b\":2}\n{",
    );
}
