//! What a record must not lose.

use super::{Redaction, mask_json, text};

#[track_caller]
fn stays(harmless: &str) {
    text(harmless, harmless);
    let json =
        serde_json::json!({ "command": harmless, "argv": ["sh", "-c", harmless] }).to_string();
    assert_eq!(mask_json(&Redaction::default(), &json), None, "{harmless}");
}

#[test]
fn what_is_no_secret_stays() {
    for harmless in [
        "git checkout d0be2dc421be4fcd0172e5afceea3970e2f3d940",
        "commit d0be2dc421be4fcd0172e5afceea3970e2f3d940 (HEAD -> main)",
        "HEAD is now at 70ead92 fix: keep the key",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        "image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  a.tar.gz",
        "\"integrity\": \"sha512-3Y0QpYwCqQ2v0s0Vw1Xg1n9o0Tq2R0Z0cK1o7fW5l1mYJq8mYdV0s0mR0E2b3m6mYVQk1C0s3t2rYw5u8v9w0A==\"",
        "checksum = \"1f9f3d3c0b6c9ed3a4b8a1d3b5e3f4a7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1\"",
        "github.com/a/b v1.2.3 h1:Zp3x9Q0q2vWkq0c1bqk2u3n4m5l6k7j8h9g0f1d2s3a=",
        "/usr/lib/python3.11/site-packages/tokenizers/implementations/base_tokenizer.py",
        "cargo test -p hook-secrets --lib -- secret_names::are_known",
        "npm install @types/node@20.1.0 passport-jwt secretlint",
        "docker run -p 8080:80 -u 1000:1000 nginx",
        "docker run -e PORT=8080 -v /a:/b x",
        "ssh -p 2222 host",
        "mkdir -p build/out",
        "psql -p 5432 -U app -h db",
        "tar -xzf password-store-1.7.4.tar.gz",
        "grep -rn \"password\" src | head -20",
        "echo done | grep token",
        "echo $TOKEN | docker login --password-stdin",
        "printf '%s\\n' a b | sort -k 2",
        "fn token(&self) -> &Token { self.tokens[0] }",
        "let key = map.keys().next();",
        "if (password === undefined) return;",
        "kubectl get secret db -o yaml",
        "kubectl create configmap x --from-literal=env=production",
        "max_tokens: 4096",
        "temperature=0.7 top_p=0.95",
        "key: value",
        "cache_key = linux-x86_64-cargo-d0be2dc421be4fcd",
        "Public key: AAAAB3NzaC1yc2EAAAADAQABAAABAQC7",
        "sort by key desc; primary key (id, name)",
        "session.id() == other",
        "https://example.com/a?page=2&sort=name",
        "http://localhost:8080/api/v1/users/42",
        "2026-12-01T10:03:54.123456789Z INFO x86_64",
        "error[E0308]: mismatched types",
        "rustc 1.88.0 (6b00bc388 2025-06-23)",
        "the secret of good prose is revision",
        "reset your password in the settings",
        "PASS tests/login.test.ts (5.123 s)",
        "date -u +%Y-%m-%dT%H:%M:%SZ",
        "\"resolved\": \"https://registry.example/discord.js/-/discord.js-14.7.1.tgz#26079a8d4416549731f5fe6437ab9a16697d2350\"",
        "linear@npm:1.0.0: checksum: 10c0/5c5f3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f0e9d8c7b6a5f4e",
        "nix-store -q /nix/store/0c5x4l7bb1n2k8jq3w9s6d4f5g7h8j9k-openssl-3.0.1",
        "docker pull ghcr.io/a/b@sha256:4b1d8cd98f00b204e9800998ecf8427ed41d8cd98f00b204e9800998ecf8427e",
    ] {
        stays(harmless);
    }
}

#[test]
fn what_only_resembles_a_command_or_a_structure_with_a_secret_stays() {
    for harmless in [
        "curl -sSfL https://x | sh",
        "curl -su $ME:$PASSWORD https://x",
        "curl -so a:b https://x",
        "sort -su a:b",
        "redis-cli CONFIG SET maxmemory 100mb",
        "ssh-keygen -t ed25519 -N '' -f id_ed25519",
        "sqlplus / as sysdba",
        "sqlplus $ME/$PASSWORD@db @scripts/release2024.sql",
        "vault kv get -field=user2024 secret/a",
        "vault kv put -mount=secret2024 p k=$VALUE",
        "fly secrets list",
        "dotnet nuget push a.nupkg -s https://h",
        "aws ssm put-parameter --name n --type String --value production",
        "poetry config virtualenvs.in-project true",
        "mc alias list; mc ls a/bucket2024",
        "run /p:release2024x",
        "resumed session_id=123e4567-e89b-12d3-a456-426614174000",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "SyntaxError: unexpected token: }",
        "grant_type=code&token_type=bearer",
        "  secretName: tls-cert",
        "tokenUrl: https://h/oauth/token",
        "password = getpass.getpass()",
        "self.token = token",
        "password = os.environ['X']",
        "password = os.environ.get('X')",
        "- name: DB_HOST\n  value: db\n- name: A\n  value: aB3xK9qL2m",
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {key: a}\n- value: b",
        "token_rule:\n- name: X\n  nested:\n    value: b",
        "<add key=\"color\" value=\"blue\"/><add key=\"x\" value=\"y\"/>",
        "kind: ConfigMap\ndata:\n  uri: https://h\n",
        "kind: Secret\n---\nkind: ConfigMap\ndata:\n  uri: https://h\n",
        "kind: Secret\ndata:\n  uri: {{ .Values.uri }}\n",
        "https://api.github.com/repos/a/b/hooks/12345678",
        "https://x/src/hooks/usesubscriptionwithcleanup",
        "com.example.GaBcDe.client.network.internal.transport",
        "MIIBszCCAVmgAwIBAgIUQ2x9\n-----END CERTIFICATE-----",
        "a key ends with\nthe line\n-----END PRIVATE KEY-----",
        "grep -c -e '-----END RSA PRIVATE KEY-----' a.pem",
        "printf 'TOKEN=%s\\n' \"$TOKEN\" > .env",
        "printf 'TOKEN=%s USER=%s' $TOKEN \"$USER\"",
        "printf 'tokens=%s\\n' 4096",
    ] {
        stays(harmless);
    }
}

#[test]
fn members_that_are_no_secrets_stay() {
    for json in [
        r#"{"key":"value","api":"v2","session":"open","max_tokens":4096,"commit":"d0be2dc421be4fcd0172e5afceea3970e2f3d940"}"#,
        r#"{"public_key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE","key_id":"A1b2C3d4E5f6","cache_key":"linux-4f8a1c0e"}"#,
        r#"{"file_path":"/repo/src/secrets/mod.rs","old_string":"a","new_string":"b"}"#,
        r#"{"kind":"ConfigMap","data":{"a":"b"}}"#,
        r#"{"data":{"kind":"Secret"},"kind":"List"}"#,
        r#"["docker","run","-p","8080:80","x"]"#,
        r#"["ssh","-p","2222","host"]"#,
        r#"["git","log","-p","-3"]"#,
        r#"["grep","-e","password","src"]"#,
    ] {
        assert_eq!(mask_json(&Redaction::default(), json), None, "{json}");
    }
}
