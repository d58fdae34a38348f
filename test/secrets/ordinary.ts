/** Numbers that look random and are the same in every run (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Lines of ordinary output in which nothing is secret, though much looks so. */
export function ordinaryLines(count: number, seed = 1): string[] {
  const next = numbers(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('');
  const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
  const base64 = (length: number) => Buffer.from(hex(length * 2), 'hex').toString('base64');
  const time = () => `2024-07-10T14:${10 + below(50)}:${10 + below(50)}.${100 + below(900)}Z`;
  const ip = () => `10.${below(256)}.${below(256)}.${below(256)}`;
  const pod = () => `${pick(['web', 'order-service', 'auth-proxy', 'token-issuer'])}-${hex(9)}-${hex(5)}`;
  const makers: readonly (() => string)[] = [
    () =>
      `${ip()} - ada [10/Jul/2024:14:30:00 +0000] "GET /api/tokens/${below(999)}?page=2 HTTP/1.1" 200 ${below(9999)} "https://shop.example.com/login" "Mozilla/5.0 (X11; Linux x86_64)" etag="${hex(16)}"`,
    () =>
      `I0710 14:30:00.000001    1 reconciler.go:224] "operationExecutor.VerifyControllerAttachedVolume started for volume \\"default-token-${hex(5)}\\" (UniqueName: \\"kubernetes.io/secret/${uuid()}-default-token\\")" pod="shop/${pod()}"`,
    () =>
      `E0710 14:30:00.000002    1 pod_workers.go:191] Error syncing pod ${uuid()}, skipping: MountVolume.SetUp failed for volume "tls" : secret "db-credentials" not found`,
    () =>
      `${time()} ERROR [http-nio-8080-exec-${below(9)}] c.e.s.TokenService - Unexpected token: ${pick(['identifier', 'END_OBJECT', 'comma'])} at com.example.auth.TokenParser.parse(TokenParser.java:${below(900)})`,
    () =>
      `	at org.springframework.security.authentication.ProviderManager.authenticate(ProviderManager.java:${below(300)}) ~[spring-security-core-5.7.${below(9)}.jar:5.7.1]`,
    () => `FATAL:  password authentication failed for user "${pick(['app', 'root', 'x'])}"`,
    () => `Access denied for user 'root'@'${ip()}' (using password: ${pick(['YES', 'NO'])})`,
    () => `    "image": "registry.example.com/shop/web@sha256:${hex(64)}",`,
    () => `    "imageID": "docker-pullable://nginx@sha256:${hex(64)}",`,
    () => `            "uid": "${uuid()}", "resourceVersion": "${below(99999999)}", "pod-template-hash": "${hex(9)}",`,
    () => `  pod-template-hash: ${hex(9)}`,
    () => '  automountServiceAccountToken: false',
    () => `      secretName: ${pick(['db-credentials', 'ingress-tls', `registry-${hex(4)}`])}`,
    () => '      valueFrom: {secretKeyRef: {name: db-credentials, key: password}}',
    () => "      DB_PASSWORD:  <set to the key 'password' in secret 'db-credentials'>  Optional: false",
    () => `    Mountable secrets:   default-token-${hex(5)}`,
    () => `Tokens:              default-token-${hex(5)}`,
    () => `password:  ${below(90)} bytes`,
    () => 'passwordPolicy: strict',
    () => `token_ttl=${below(9999)} max_tokens=${below(9999)} token_count: ${below(99)} tokenExpirationSeconds: 3607`,
    () => '      - --token-auth-file=/etc/kubernetes/tokens.csv --service-account-key-file=/etc/kubernetes/pki/sa.pub',
    () => '        path: /var/run/secrets/kubernetes.io/serviceaccount/token',
    () => 'POSTGRES_PASSWORD_FILE=/run/secrets/db_password',
    () => 'password: ""',
    () => '    "password": null, "token": "", "secret": false, "auth": {"enabled": true},',
    () => `export API_TOKEN=\${API_TOKEN} DB_PASSWORD=$(cat /run/x) PASSWORD=$PASSWORD`,
    () => 'Authorization header is missing; token: expired; authorization: denied by RBAC',
    () => 'WWW-Authenticate: Bearer realm="https://auth.example.com/token",service="registry.example.com"',
    () => `authentication.k8s.io/v1 tokenreviews.authentication.k8s.io created`,
    () => `secret/db-credentials configured, serviceaccount/token-issuer unchanged`,
    () => `commit ${hex(40)} Author: Ada <ada@example.com>`,
    () => `  etag: W/"${hex(32)}" trace_id=${hex(32)} span_id=${hex(16)} request-id: ${uuid()}`,
    () => `MD5 (${pod()}.tar.gz) = ${hex(32)}; sha512:${hex(128)}`,
    () =>
      `        "certificate-authority-data": "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSU${base64(30).replace(/=+$/, '')}",`,
    () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${base64(24)} ada@laptop`,
    () => `public_key: ssh-rsa AAAAB3NzaC1yc2E${base64(60)}`,
    () => `      arn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/db-${hex(6)}`,
    () => `      secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/db-${hex(6)}`,
    () => `http_requests_total{code="200",handler="/auth/token",instance="${ip()}:9090"} ${below(99999)}`,
    () => `etcd_request_duration_seconds_bucket{operation="get",type="*core.Secret",le="0.005"} ${below(99999)}`,
    () =>
      `Jul 10 14:30:00 host sshd[${below(9999)}]: Accepted publickey for ada from ${ip()} port 5${below(999)} ssh2: RSA SHA256:${base64(32).slice(0, 43)}`,
    () =>
      `Jul 10 14:30:00 host sshd[${below(9999)}]: Failed password for invalid user admin from ${ip()} port 5${below(999)} ssh2`,
    () => `Jul 10 14:30:00 host sudo: pam_unix(sudo:auth): authentication failure; logname=ada uid=1000`,
    () => `        "Id": "${hex(64)}", "ParentId": "sha256:${hex(64)}", "PWD=/app",`,
    () =>
      `            "Env": ["PATH=/usr/local/bin:/usr/bin", "LANG=C.UTF-8", "GPG_KEY=${hex(40).toUpperCase()}", "OLDPWD=/"],`,
    () => `${time()} INFO bypass: true compass: north PASS: TestLogin (0.0${below(9)}s) pass: ${below(99)} fail: 0`,
    () =>
      `GET http://${ip()}:8080/users?mail=ada@example.com 200; see https://example.com/@ada and mailto:ada@example.com`,
    () =>
      `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"job":"auth"},"value":[1720621800,"${below(99)}"]}]}}`,
    () => `  sessionAffinity: None  sessionId: none  session timeout: 30m  cookie: ${pick(['enabled', 'disabled'])}`,
    () => `  config.json: ${base64(48)}`,
    () => `  keyAlgorithm: RSA  private_key: /etc/ssl/private/web.key  ssl_certificate_key /etc/ssl/web.key;`,
    () => `task-${below(999)} disk-${below(999)}-resize risk-assessment-for-the-whole-cluster-2024 desk-lamp`,
    () => `Warning: keyring: the credential helper is not configured; credentials: none; auth method: scram-sha-256`,
    () =>
      `  externalSecret: {secretStoreRef: {name: vault-backend}, data: [{secretKey: username, remoteRef: {key: shop/db}}]}`,
    // Near misses of what tells of the next line, and of options: each stands in lines that belong together.
    () =>
      '      --password\n            Password of the user, asked for when it is absent\n      --token-ttl\n            Lifetime',
    () => 'auth:\n  enabled: true\ntoken:\n- one\nsecret:\n  secretName: web-tls\npassword:\nuser: ada',
    () =>
      '      password:\n        type: string\n        description: At least eight characters\n      token:\n        $ref: x',
    () => 'Password:\n    Must hold a digit and a letter\nCredentials:\n  none',
    () => 'A user is identified\nby its name, or authenticated with Basic\nauthentication, or as a Bearer\nof rights',
    () => `The header holds a bearer\n  ${time()} and the pod is ${pod()}`,
    () => "SELECT 1 -- with password\nFROM users WHERE name = 'ada'",
    () =>
      JSON.stringify({
        'app.yaml': 'auth:\n  type: basic\npassword:\n  length: 8\nargs:\n- --password-file\n- /run/x\n',
      }),
    () => 'docker run --name mysql -p3306:3306 mysql:8 --port 3306',
    () => '- mysql\n- --protocol\n- tcp\n- -P3306\n- -hdb',
    () => `curl -vu https://${ip()}/x -o /tmp/out && curl -fsSLu ada https://example.com/path`,
    () => 'redis-cli -h cache -p 6379 info; # Warning: no requirepass directive; CONFIG GET requirepass',
    () => 'kubectl create configmap web --from-literal=level=debug --from-literal=colour=mauve',
    () => 'machine learning of the default login page; openssl x509 -in web.pem -noout; mongod --port 27017',
    () =>
      'пароль не задан, tокен: не найден, α=0.5 µ=2, soft\u00adware: ok, pass\u200bage: north, ｔｏｋｅｎｓ: 数据库',
  ];
  return Array.from({ length: count }, () => pick(makers)());
}
