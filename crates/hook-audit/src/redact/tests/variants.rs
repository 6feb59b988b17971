//! Secrets as agents write them in commands, settings and source text, of each kind in more than one way.

use super::{Redaction, mask_json};

/// A made-up secret that no shape tells.
const S: &str = "mT4vKz9QpL2xWc7RbN5jHd8F";

/// Whether nothing of the secret is left in the text, as running text, as a member, in an argument vector for a shell, and as JSON in
/// JSON.
#[track_caller]
fn gone(template: &str) {
    gone_of(template, S);
}

#[track_caller]
fn gone_of(template: &str, secret: &str) {
    let text = template.replace('§', secret);
    assert!(text.contains(secret), "{template}");
    let command = serde_json::json!({ "command": text });
    let vector = serde_json::json!({ "argv": ["bash", "-c", text] });
    let nested = serde_json::json!({ "body": command.to_string() });
    let again = serde_json::json!({ "body": format!("sent {nested}") });
    let redaction = Redaction::default();
    let (masked, _) = redaction.mask_text(&text);
    assert_hidden(&masked, secret);
    for value in [command, vector, nested, again] {
        let text = value.to_string();
        let masked = mask_json(&redaction, &text).map_or(text, |(masked, _)| masked);
        assert_hidden(&masked, secret);
        serde_json::from_str::<serde_json::Value>(&masked).expect("JSON");
    }
}

#[track_caller]
fn assert_hidden(masked: &str, secret: &str) {
    let (_, part) = secret.split_at(secret.len() / 2);
    assert!(
        !masked.contains(secret) && !masked.contains(part),
        "{masked}"
    );
}

#[test]
fn options_of_programs_that_take_a_secret() {
    for template in [
        "mysql -u root -p§ shop",
        "mysqldump --single-transaction -p§ -h db shop > x.sql",
        "sshpass -p § ssh host uptime",
        "sshpass -p'§' scp a host:",
        "sudo sshpass -p§ ssh host",
        "docker login -u me -p § registry.example",
        "podman login registry.example -u me -p \"§\"",
        "helm registry login x -u me -p §",
        "redis-cli -h cache -a § ping",
        "mongosh mongodb://h/x -u me -p §",
        "ldapsearch -x -D cn=admin -w § -b dc=x",
        "unzip -P § a.zip",
        "7z x -p§ a.7z",
        "openssl enc -aes-256-cbc -k § -in a",
        "openssl rsa -passin pass:§ -in k",
        "openssl pkcs12 -passout 'pass:§' -in k",
        "smbclient //h/s -U me%§",
        "az login -u me@x -p §",
        "az keyvault secret set --vault-name v -n n --value §",
        "aws ssm put-parameter --type SecureString --name n --value §",
        "kubectl create secret generic db --from-literal=user=me --from-literal=url=§",
        "kubectl -n x create secret generic db --from-literal k=§",
        "gpg --batch --passphrase § -d a.gpg",
        "keytool -storepass § -list",
        "curl -b 'sid=§' https://x",
        "curl --oauth2-bearer § https://x",
        "curl -u me:§ https://x",
        "curl --user \"me:§\" https://x",
        "psql \"host=h user=u password=§\"",
        "sqlcmd -S h -U sa -P § -Q 'select 1'",
        "gh secret set TOKEN --body §",
        "twine upload -u __token__ -p § dist/*",
        "docker login \\\n  -u me \\\n  -p § \\\n  registry.example",
        "plink -pw § me@h",
        "htpasswd -bc f me §",
        "wpa_passphrase net §",
        "cargo login §",
        "vault login §",
        "rabbitmqctl add_user me §",
        "ngrok config add-authtoken §",
        "curl -su me:§ https://x",
        "curl -sSfLu 'me:§' https://x",
        "curl -sSume:§ https://x",
        "curl -fsSLU me:§ -x p https://x",
        "redis-cli AUTH §",
        "redis-cli -h c CONFIG SET requirepass §",
        "ssh-keygen -t ed25519 -f k -N §",
        "ssh-keygen -p -P § -N '' -f k",
        "sqlplus -s me/§@db",
        "sqlplus me/§@//h:1521/x",
        "expdp 'me/§' full=y",
        "mc alias set a https://h KEY §",
        "vault kv put secret/a k=§",
        "vault write auth/x/config url=u bindcode='§'",
        "fly secrets set X=§",
        "fly secrets set -a app Y=1 X=\"§\"",
        "dotnet nuget push a.nupkg -k § -s x",
        "gem push -k § a.gem",
        "xfreerdp /u:me /p:§ /v:h",
        "poetry config http-basic.x me §",
        "ansible-vault encrypt_string '§' --name x",
        "aws ssm put-parameter --name n --value § --type SecureString",
    ] {
        gone(template);
    }
}

#[test]
fn what_is_piped_or_handed_to_a_reader() {
    for template in [
        "echo § | gh auth login --with-token",
        "echo -n '§' | docker login -u me --password-stdin",
        "printf '%s' \"§\" | helm registry login --password-stdin x",
        "echo \"root:§\" | chpasswd",
        "echo § | sudo -S apt update",
        "printf § | docker secret create db -",
        "cd x && echo § | passwd --stdin me",
        "docker login --password-stdin <<< §",
        "gh auth login --with-token <<<'§'",
        "echo § | gpg --batch --passphrase-fd 0 -d a",
        "printf 'TOKEN=%s\\n' § > .env",
        "printf 'TOKEN=%s\\n' '§' >> .env",
        "printf \"USER=%s\\nDB_PASSWORD=%s\\n\" me \"§\" | tee .env",
        "printf 'password: %s' § 2>/dev/null",
        "printf API_KEY=%s §",
        "printf 'TOKEN=%s' §>.env",
        "(cd x; printf -- 'machine h password=%s\\n' \"a § b\") > .netrc",
    ] {
        gone(template);
    }
}

#[test]
fn names_of_secrets_and_how_values_are_assigned() {
    for template in [
        "export STRIPE_SECRET='§'",
        "set -x API_KEY §",
        "setx API_TOKEN §",
        "setenv DB_PASSWORD §",
        "$env:DB_PASSWORD = '§'",
        "$Env:API_TOKEN=\"§\"",
        "[Environment]::SetEnvironmentVariable(\"API_TOKEN\",\"§\")",
        "aws configure set aws_secret_access_key §",
        "npm config set //registry.example/:_authToken §",
        "//registry.example/:_authToken=§",
        "git config --global github.token §",
        "machine h login me password §",
        "machine h\n  login me\n  password §\n",
        "password：§",
        "密码：§",
        "パスワード=§",
        "Kennwort = §",
        "senha: §",
        "contraseña: '§'",
        "mot_de_passe=§",
        "пароль: §",
        "ｐａｓｓｗｏｒｄ＝§",
        "PIN=§",
        "otp: §",
        "BW_SESSION=§ bw list",
        "DEPLOY_KEY=§",
        "session: §",
        "mfa_code=x; TOTP_SECRET=§",
        "https://x/cb?code_verifier=1&access_token=§&state=2",
        "redirect=https%3A%2F%2Fx%3Faccess_token%3D§",
        "\\\"clientSecret\\\": \\\"§\\\"",
        "{\\\\\\\"password\\\\\\\":\\\\\\\"§\\\\\\\"}",
        "ALTER ROLE a WITH LOGIN PASSWORD '§'",
        "GRANT ALL ON *.* TO a IDENTIFIED BY \"§\"",
        "Authorization: Basic §",
        "curl -H 'Authorization: Token §' u",
        "curl -H \"Proxy-Authorization: Digest §\" u",
        "curl -H 'X-Auth-Token:§' u",
        "Cookie: a=1; sid=§",
        "Set-Cookie: s=§; HttpOnly",
        "Server=tcp:h,1433;User ID=me;Password=§;Encrypt=True",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§==",
        "postgres://me:§@h/x",
        "https://§@github.com/a/b",
        "redis://:§@h:6379/0",
        "subprocess.run(['tool', '--password', '§'])",
        "os.environ[\"API_KEY\"] = \"§\"",
        "password = '''§'''",
        "<property name=\"x\"/><password>§</password>",
        "wpa_psk=§",
        "requirepass_token: §",
        "the password is §",
        "mot de passe : §",
        "Schlüssel: §",
        "SET PASSWORD FOR a = PASSWORD('§')",
        "CREATE USER a IDENTIFIED WITH mysql_native_password BY '§'",
        "PHPSESSID=§; x=1",
    ] {
        gone(template);
    }
}

#[test]
fn the_end_of_a_private_key_whose_first_line_is_cut_off() {
    for template in [
        "aB3x§zz\n§/+aZ\n§==\n-----END RSA PRIVATE KEY-----\n",
        "§\n-----END PRIVATE KEY-----",
        "tail of it:\n§aB\r\n§=\r\n-----END OPENSSH PRIVATE KEY-----\r\ndone",
        "    12\t§/a\n    13\t§/b\n    14\t-----END EC PRIVATE KEY-----",
        "\"§\\n§\\n-----END PRIVATE KEY-----\\n\"",
        "+§\n+§\n+-----END PRIVATE KEY-----",
        "x\n§\n=aB3x\n-----END PGP PRIVATE KEY BLOCK-----",
    ] {
        gone(template);
    }
}

#[test]
fn what_resembles_something_harmless() {
    for template in [
        "unexpected token: §",
        "password = \"os.environ[§\"",
        "password = get(§)",
        "self.token = §",
        "Cookie: session_id=§",
        "arn:aws:x; secret:§",
        "token_url=§",
        "secretName: §",
    ] {
        gone(template);
    }
    gone_of(
        "Cookie: a=1; session_id=§",
        "123e4567-e89b-12d3-a456-426614174000",
    );
}

#[test]
fn values_whose_name_stands_in_another_member() {
    for template in [
        "env:\n  - name: DB_PASSWORD\n    value: §\n",
        "env:\n- name: \"API_TOKEN\"\n  value: \"§\"\n- name: A\n  value: b\n",
        "- name: DB_PASSWORD\n  sensitive: true\n  value: |\n    §\n",
        "- {name: DB_PASSWORD, value: §}",
        "environment {\n  name  = \"DB_PASSWORD\"\n  value = \"§\"\n}",
        "<add key=\"password\" value=\"§\"/>",
        "<x><add value='§' key='DbPassword' /></x>",
        "<env name=\"API_TOKEN\" value=\"§\">",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  uri: §\n  b: x\n",
        "apiVersion: v1\nstringData:\n  uri: |\n    a\n    §\nkind: Secret\n",
        "kubectl apply -f - <<EOF\nkind: Secret\nstringData:\n  uri: \"§\"\nEOF",
        r#"{"kind":"Secret","data":{"uri":"§"}}"#,
        r#"{"apiVersion":"v1","data":{"uri":"§"},"kind":"Secret","stringData":{"a":"§"}}"#,
        r#"{"data":{"uri":"§","b":"a long text"},"value":"§","kind":"Secret","name":"token"}"#,
        r#"{"value":"§","data":{"uri":"§"},"name":"token","kind":"Secret"}"#,
        r#"{"value":"§","data":{"uri":"§"},"kind":"Secret","name":"token"}"#,
        r#"{"items":[{"stringData":{"a":"§"},"name":"token","kind":"Secret","value":"x"}]}"#,
    ] {
        gone(template);
    }
}

fn first(text: &str, length: usize) -> &str {
    text.split_at(length).0
}

#[test]
fn tokens_of_makers_wherever_they_stand() {
    const R: &str = "Yq3Lx8Zt5Wm1Vk7Rb2Nc9Jd4Hf6Gs0PaKe";
    let long = R.repeat(4);
    for (mark, length) in [
        ("glsoat-", 20),
        ("gloas-", 64),
        ("glagent-", 50),
        ("GOCSPX-", 28),
        ("1//0", 60),
        ("xoxc-", 40),
        ("xoxd-", 40),
        ("gsk_", 52),
        ("nvapi-", 64),
        ("r8_", 37),
        ("cio", 32),
        ("dapi", 32),
        ("dop_v1_", 64),
        ("sntryu_", 64),
        ("hvs.", 60),
        ("hf_", 34),
        ("figd_", 40),
        ("lin_api_", 40),
        ("shpat_", 32),
        ("PMAK-", 59),
        ("ABSK", 120),
        ("sk-ant-api03-", 90),
        ("sk-proj-", 90),
        ("xai-", 80),
        ("tskey-", 30),
        ("pplx-", 48),
        ("pul-", 40),
        ("rubygems_", 48),
        ("ntn_", 46),
        ("glc_", 60),
        ("sq0csp-", 43),
        ("dckr_pat_", 27),
        ("lsv2_pt_", 50),
        ("tvly-", 32),
        ("oy2", 43),
    ] {
        let token = format!("{mark}{}", first(&long, length));
        for template in [
            "§",
            "run x § now",
            "f(\"§\");",
            "x=§",
            "https://h/?k=§&b=1",
            "{'k': '§'}",
            "a\\n§\\nb",
            "| § |",
        ] {
            gone_of(template, &token);
        }
    }
    gone_of(
        "curl https://api.telegram.org/bot§/getMe",
        &format!("712345678:AA{}", first(R, 33)),
    );
    let hex = "0b9f3c7d1e5a2468";
    gone_of(
        "gateway(accessToken: '§')",
        &format!("access_token$production$q3lx8zt5wm1vk7rb${hex}{hex}"),
    );
    for template in ["§", "client.login(\"§\")", "Authorization: Bot §", "a\\n§"] {
        let token = format!("MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.{}TeAb", first(R, 34));
        gone_of(template, &token);
    }
    for template in [
        "curl -d '{\"text\":\"x\"}' https://chat.example/hooks/§",
        "https://chat.example:8065/team/hooks/§?x=1",
    ] {
        gone_of(template, "q3lx8zt5wm1vk7rb2nc9jd4hf6");
    }
    gone_of("§", &format!("SG.{}.{}", first(R, 22), first(&long, 43)));
}

#[test]
fn secrets_split_over_arguments() {
    for json in [
        r#"["az","login","-u","me","-p","§"]"#,
        r#"["/usr/bin/sshpass","-p","§","ssh","h"]"#,
        r#"["sshpass","-p§","ssh","h"]"#,
        r#"["sudo","docker","login","-p","§"]"#,
        r#"["mysql","-uroot","-p§"]"#,
        r#"["kubectl","create","secret","generic","x","--from-literal","k=§"]"#,
        r#"["kubectl","create","secret","generic","x","--from-literal=k=§"]"#,
        r#"["curl","-H","Authorization: Bearer","§"]"#,
        r#"["curl","-H","Authorization:","Bearer","§"]"#,
        r#"["curl","-H","X-Api-Key:","§"]"#,
        r#"["aws","configure","set","aws_secret_access_key","§"]"#,
        r#"["redis-cli","-a","§"]"#,
        r#"["tool","--deploy-key","§"]"#,
        r#"["smbclient","//h/s","-U","me%§"]"#,
        r#"["env","DB_PASSWORD=§","make"]"#,
        r#"["curl","-su","me:§","https://x"]"#,
        r#"["curl","-sume:§","https://x"]"#,
        r#"["redis-cli","AUTH","§"]"#,
        r#"["ssh-keygen","-N","§"]"#,
        r#"["sqlplus","-s","me/§@db"]"#,
        r#"["vault","kv","put","p","k=§"]"#,
        r#"["fly","secrets","set","X=§"]"#,
        r#"["printf","TOKEN=%s\\n","§"]"#,
        r#"["xfreerdp","/u:me","/p:§"]"#,
        r#"["aws","ssm","put-parameter","--value","§","--type","SecureString"]"#,
        r#"{"pin":"§","otp":"§","session":"§","deploy_key":"§"}"#,
    ] {
        let text = json.replace('§', S);
        let masked = mask_json(&Redaction::default(), &text).map_or(text, |(masked, _)| masked);
        assert_hidden(&masked, S);
        serde_json::from_str::<serde_json::Value>(&masked).expect("JSON");
    }
}

#[test]
fn tokens_that_are_the_names_of_members() {
    let token = |end: char| format!("ghp_{}{end}", first(&S.repeat(2), 35));
    let (a, b) = (token('a'), token('b'));
    let text = format!(r#"{{"{a}":{{"{b}":1}},"x {b}":2,"token":3}}"#);
    let (masked, count) = mask_json(&Redaction::default(), &text).expect("masked");
    assert_eq!(
        masked,
        r#"{"[masked:github-token]":{"[masked:github-token]":1},"x [masked:github-token] 2":2,"token":"[masked]"}"#
    );
    assert_eq!(count, 4);
    gone_of("{\"§\": [1]}", &a);
    gone_of("{\"password\": \"x\", \"value\": 1, \"§\": null}", &a);
}
