/** Secrets as programs print them: title, text, and what must not be left of it. */
export type Planted = readonly [title: string, text: string, ...values: string[]];

const base64 = (text: string) => Buffer.from(text).toString('base64');
const JWT = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjF9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const BODY = ['MIIEowIBAAKCAQEAx1Zq0b8', 'Qe7Jk2mN4pR6tV8yA1cE3gI', 'c0FfEeBaBe=='];
const pem = (kind: string, indent = '') =>
  [`-----BEGIN ${kind}-----`, ...BODY, `-----END ${kind}-----`].map((line) => `${indent}${line}\n`).join('');
const letters = (count: number) =>
  'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5hJ7kL9nP1rS3tU5wX7zA9cD1eF3gH5jK7mN9pQ'.slice(0, count);
const small = (count: number) => '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'.slice(0, count);

const kubernetes: readonly Planted[] = [
  [
    'a Secret as JSON, its kind behind the data',
    JSON.stringify(
      { apiVersion: 'v1', data: { a: 'b25l', b: 'dHdv' }, kind: 'Secret', metadata: { name: 'x' } },
      null,
      4,
    ),
    'b25l',
    'dHdv',
  ],
  [
    'a Secret as compact JSON',
    JSON.stringify({ kind: 'Secret', stringData: { color: 'mauve', n: 'x"y' } }),
    'mauve',
    'x\\"y',
  ],
  [
    'a SecretList as compact JSON',
    JSON.stringify({ kind: 'SecretList', items: [{ data: { color: 'bWF1dmU=' } }] }),
    'bWF1dmU=',
  ],
  ['a Secret as YAML', 'apiVersion: v1\ndata:\n  color: bWF1dmU=\nkind: Secret\n', 'bWF1dmU='],
  [
    'a Secret as YAML, its kind first',
    'kind: Secret\nstringData:\n  color: mauve\n  "n": "two words"\n',
    'mauve',
    'two words',
  ],
  ['a Secret in a list as YAML', 'items:\n- data:\n    color: bWF1dmU=\n  kind: Secret\n- kind: Pod\n', 'bWF1dmU='],
  [
    'a text of many lines in a Secret',
    'kind: Secret\nstringData:\n  conf: |\n    user: mauve\n    two\nx: y\n',
    'mauve',
    'two',
  ],
  ['a Secret in flow style', 'kind: Secret\nstringData: {color: mauve, other: "green"}\n', 'mauve', 'green'],
  [
    'the annotation of kubectl apply',
    `    "kubectl.kubernetes.io/last-applied-configuration": ${JSON.stringify(JSON.stringify({ data: { color: 'bWF1dmU=' }, kind: 'Secret' }))}\n`,
    'bWF1dmU=',
  ],
  [
    'kubeconfig',
    'users:\n- name: ada\n  user:\n    client-key-data: TWF1dmVLZXk=\n    token: t0ken-Value1\n',
    'TWF1dmVLZXk=',
    't0ken-Value1',
  ],
  ['exec env of a kubeconfig', 'env:\n- name: AWS_SECRET\n  value: mauve12\n', 'mauve12'],
  ['the environment of a container as YAML', '    - name: DB_PASSWORD\n      value: mauve\n', 'mauve'],
  ['the environment of a container as JSON', '{\n "name": "API_TOKEN",\n "value": "mauve12"\n}', 'mauve12'],
  ['the environment as compact JSON', '[{"name":"A","value":"b"},{"name":"DB_PASSWORD","value":"mauve"}]', 'mauve'],
  ['the environment, turned round', '[{"value":"mauve","name":"DB_PASSWORD"}]', 'mauve'],
  ['describe', '    Environment:\n      DB_PASSWORD:  mauve green\n      LEVEL:  info\n', 'mauve green'],
  ['arguments as YAML', '  - args:\n    - --db-password\n    - mauve\n', 'mauve'],
  ['arguments as JSON', '"args": ["--password", "mauve", "-v"]', 'mauve'],
  ['docker config', `{"auths":{"r.example.com":{"auth":"${base64('ada:mauve')}"}}}`, base64('ada:mauve')],
];

const places: readonly Planted[] = [
  [
    'an environment listing',
    'HOME=/root\nDB_PASSWORD=mau ve!\nSECRET_KEY_BASE=0123456789abcdef\n',
    'mau ve!',
    '0123456789abcdef',
  ],
  ['docker inspect', '"Env": [\n "PATH=/bin",\n "MYSQL_PWD=ma\\"uve",\n "API_TOKEN=mauve"\n]', 'ma\\"uve', 'mauve'],
  ['a key of JSON', '{"user":"ada","password":"mauve"}', 'mauve'],
  ['a number as password', '{"password": 73526171}', '73526171'],
  ['JSON in JSON', JSON.stringify({ message: JSON.stringify({ password: 'mau"ve' }) }), 'mau\\\\\\"ve', 'mau'],
  ['a log line', 'level=info msg="login" password=mauve! user=ada', 'mauve!'],
  ['a log line with words', 'connecting with password: mauve7 and user ada', 'mauve7'],
  ['a log line in JSON', '{"msg":"try password=mauve7\\nnext"}', 'mauve7'],
  ['a header', 'Authorization: Bearer mauve0123456789\r\n', 'mauve0123456789'],
  ['a basic header', `> authorization: Basic ${base64('ada:mauve')}`, base64('ada:mauve')],
  ['headers of Go', 'map[Authorization:[Bearer mauve0123456789] Accept:[*/*]]', 'mauve0123456789'],
  ['headers as JSON', '{"x-api-key":["mauve0123"],"authorization":"Token mauve4567"}', 'mauve0123', 'mauve4567'],
  ['a header of an API key', 'X-Auth-Token: mauve-012345', 'mauve-012345'],
  ['a cookie', 'Cookie: sid=mauve012345; theme=dark', 'mauve012345'],
  ['a cookie that is set', 'Set-Cookie: SESSION=mauve012345; Path=/; HttpOnly', 'mauve012345'],
  ['a URL', 'cloning https://ada:mauve@git.example.com/x.git', 'mauve'],
  ['a database URL', 'DATABASE_URL=postgres://app:ma/u@ve@db.shop:5432/shop?sslmode=require', 'ma/u', 've@db'],
  ['a Redis URL', 'redis://:mauve@cache:6379/0', 'mauve'],
  ['a MongoDB URL', 'mongodb+srv://app:mauve@c0.example.net/shop', 'mauve'],
  ['an AMQP URL', 'amqp://guest:mauve@mq:5672/%2f', 'mauve'],
  ['a JDBC URL', 'jdbc:mysql://db:3306/shop?user=app&password=mauve&ssl=true', 'mauve'],
  ['libpq', "host=db user=app password='mau ve' dbname=shop", 'mau ve'],
  ['ADO', 'Server=db;User Id=app;Password=mauve;Encrypt=true', 'mauve'],
  ['a Go database address', 'app:mauve@tcp(db:3306)/shop', 'mauve'],
  ['a flag', 'mysqld --password=mauve --port=3306', 'mauve'],
  ['a flag and its value', 'vault login --token mauve012345', 'mauve012345'],
  ['-p of mysql', 'mysql -u root -pmauve shop', 'mauve'],
  ['-u of curl', 'curl -s -u ada:mauve https://example.com', 'mauve'],
  ['sshpass', 'sshpass -p mauve ssh ada@host', 'mauve'],
  ['SQL', "CREATE USER app WITH PASSWORD 'mauve'; ALTER USER x IDENTIFIED BY 'green'", 'mauve', 'green'],
  ['XML', '<server><password>mauve</password></server>', 'mauve'],
  ['XML in JSON of Go', '{"x": "\\u003cserver\\u003e\\u003cpassword\\u003emauve\\u003c/password\\u003e"}', 'mauve'],
  ['XML in JSON', '{"x": "<password>mauve</password>"}', 'mauve'],
  ['a signature in JSON of Go', '"https://x?sv=2022\\u0026sig=bWF1dmVtYXV2ZW1hdXZl%3D"', 'bWF1dmVtYXV2ZW1hdXZl'],
  ['SQL in YAML', "  sql: 'ALTER USER x IDENTIFIED BY ''mauve'''", 'mauve'],
  ['properties', 'spring.datasource.password=mauve\napi.key = 0123456789abcd\n', 'mauve', '0123456789abcd'],
  ['a YAML text of many lines', 'password: |\n  mauve\n  green\nuser: ada\n', 'mauve', 'green'],
  ['a coloured line', 'token=\u001b[32mmauve012345\u001b[0m', 'mauve012345'],
  ['a coloured name', '\u001b[36mpassword\u001b[0m=mauve012345', 'mauve012345'],
  [
    'an account key',
    'AccountName=shop;AccountKey=bWF1dmUrbWF1dmUvbWF1dmU=;EndpointSuffix=x',
    'bWF1dmUrbWF1dmUvbWF1dmU=',
  ],
  [
    'a shared access signature',
    'https://shop.blob.core.windows.net/x?sv=2022&sig=bWF1dmVtYXV2ZW1hdXZl%3D',
    'bWF1dmVtYXV2ZW1hdXZl%3D',
  ],
  ['AWS keys', `AKIAIOSFODNN7EXAMPLE aws_secret_access_key = ${letters(40)}`, 'AKIAIOSFODNN7EXAMPLE', letters(40)],
  ['a session token', `AWS_SESSION_TOKEN=${letters(60)}`, letters(60)],
];

const keys: readonly Planted[] = [
  ['a private key', pem('RSA PRIVATE KEY'), ...BODY],
  ['an OpenSSH key', `x\n${pem('OPENSSH PRIVATE KEY')}y\n`, ...BODY],
  ['a key in YAML', `tls.key: |\n${pem('EC PRIVATE KEY', '  ')}`, ...BODY],
  ['a key in JSON', JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY') }), ...BODY],
  ['a key in JSON in JSON', JSON.stringify({ x: JSON.stringify({ k: pem('PRIVATE KEY') }) }), ...BODY],
  ['a key behind times', pem('PRIVATE KEY').replaceAll(/^/gm, '2024-07-10T14:30:00Z '), ...BODY],
  ['a key that is cut off', pem('PRIVATE KEY').split('-----END')[0] ?? '', ...BODY],
  ['a key in base64', base64(pem('PRIVATE KEY')), base64(pem('PRIVATE KEY')).slice(20, 90)],
];

const tokens: readonly Planted[] = [
  `ghp_${letters(36)}`,
  `gho_${letters(36)}`,
  `github_pat_${letters(60)}`,
  `glpat-${letters(20)}`,
  `sk-${letters(48)}`,
  `sk-ant-api03-${letters(60)}`,
  `sk-proj-${letters(60)}`,
  `xoxb-123456789012-${letters(24)}`,
  `npm_${letters(36)}`,
  `pypi-${letters(60)}`,
  `dckr_pat_${letters(27)}`,
  `hf_${letters(34)}`,
  `sk_live_${letters(24)}`,
  `SG.${letters(22)}.${letters(43)}`,
  `SK${small(32)}`,
  `AIza${letters(35)}`,
  `ya29.${letters(60)}`,
  `hvs.${letters(40)}`,
  `glsa_${letters(32)}_0a1b2c3d`,
  `dop_v1_${small(64)}`,
  `shpat_${small(32)}`,
  `key-${small(32)}`,
  `$2y$10$${letters(53)}`,
  `$6$saltsalt$${letters(60)}`,
  JWT,
].map((token) => [`the token ${token.slice(0, 8)}…`, `see ${token}, in the log`, token] as const);

/** Values that stand in another line than the words that tell of them. */
const folded: readonly Planted[] = [
  ['SQL that is folded', "  sql: ALTER USER x IDENTIFIED\n    BY 'mauve7x'\n", 'mauve7x'],
  ['SQL that is folded before the value', "  sql: ALTER USER x IDENTIFIED BY\n    'mauve7x'\n", 'mauve7x'],
  ['SQL that is folded in the value', "  sql: ALTER USER x IDENTIFIED BY 'mauve7x\n    green8'\n", 'mauve7x', 'green8'],
  ['SQL that is folded twice', "  sql: ALTER USER x IDENTIFIED WITH\n    sha2 BY\n    'mauve7x'\n", 'mauve7x'],
  ['SQL in quotes of YAML', '  sql: "ALTER USER x IDENTIFIED\\\n    \\ BY \'mauve7x\'"\n', 'mauve7x'],
  ['SQL of several lines', "ALTER USER app\nIDENTIFIED BY\n'mauve7x';\n", 'mauve7x'],
  ['SQL of several lines in JSON', JSON.stringify({ q: "IDENTIFIED\n   BY\n 'mauve7x'" }), 'mauve7x'],
  ['a role of SQL that is folded', "  sql: CREATE USER app WITH PASSWORD\n    'mauve7x'\n", 'mauve7x'],
  ['a role of SQL in quotes of YAML', "  sql: 'CREATE USER app WITH PASSWORD ''mauve7x'''\n", 'mauve7x'],
  ['a bearer that is folded', '  value: "Authorization: Bearer\n    mauve0123456789"\n', 'mauve0123456789'],
  [
    'a basic header that is folded',
    `  value: 'Authorization: Basic\n    ${base64('ada:mauve')}'\n`,
    base64('ada:mauve'),
  ],
  ['an option that is folded', '  cmd: vault login --token\n    mauve0123456\n', 'mauve0123456'],
  ['a value in the next line', 'password:\n    mauve7x\nuser: a\n', 'mauve7x'],
  ['a value in the next line, in quotes', 'password:\n    "mauve 7x"\nuser: a\n', 'mauve 7x'],
  ['a folded text of YAML', 'password: >-\n   mauve7x\n\n   green8\nuser: a\n', 'mauve7x', 'green8'],
  ['a text of YAML with its tag and a comment', 'password: !!str | # x\n   mauve7x\n', 'mauve7x'],
  ['a value that is folded', 'password: mauve7x and\n    green8 blue\nuser: y\n', 'mauve7x', 'green8'],
  ['a value in quotes that is folded', 'password: "mauve7x and\n    green8 blue"\nuser: y\n', 'mauve7x', 'green8'],
  [
    'a text of many lines in an environment',
    '- name: DB_PASSWORD\n  value: |-\n    mauve7x\n    green8\n',
    'mauve7x',
    'green8',
  ],
  [
    'a value in an environment that is folded',
    '- name: DB_PASSWORD\n  value: "mauve7x and\n    green8"\n- name: X\n',
    'mauve7x',
    'green8',
  ],
  ['arguments of describe', '    Args:\n      --password\n      mauve7x\n    State: x', 'mauve7x'],
  ['arguments as JSON of many lines', '[\n  "--password",\n  "mauve7x"\n]', 'mauve7x'],
  ['arguments as JSON of many lines in JSON', JSON.stringify({ x: '[\n  "--password",\n  "mauve7x"\n]' }), 'mauve7x'],
  ['arguments as YAML in JSON', JSON.stringify({ x: '- --password\n- mauve7x\n' }), 'mauve7x'],
  ['a text of YAML in JSON', JSON.stringify({ x: 'a:\n  password: |\n    mauve7x\n' }), 'mauve7x'],
  [
    'a text of YAML in JSON in JSON',
    JSON.stringify(JSON.stringify({ x: 'a:\n  token: |\n    mauve7x0\n' })),
    'mauve7x0',
  ],
  ['a value in the next line, in JSON', JSON.stringify({ x: 'a:\n  password:\n    mauve7x\n' }), 'mauve7x'],
  ['mysql as a list of YAML', '- mysql\n- -uroot\n- -pmauve7x\n', 'mauve7x'],
  ['mysql in a container of YAML', 'command:\n- mysqladmin\nargs:\n- ping\n- -pmauve7x\n', 'mauve7x'],
  ['curl as JSON of many lines', '[\n "curl",\n "-u",\n "user:mauve7x"\n]', 'mauve7x'],
  ['redis-cli as a list of YAML', '- /usr/bin/redis-cli\n- -a\n- mauve7x\n', 'mauve7x'],
  ['netrc of several lines', 'machine x\n  login ada\n  password mauve7x\n', 'mauve7x'],
];

/** Options and files of programs. */
const programs: readonly Planted[] = [
  ['-p of mariadb-dump', 'mariadb-dump -pmauve7x db', 'mauve7x'],
  ['-p in an argv of mysqladmin', '["mysqladmin","-uroot","-pmauve7x","ping"]', 'mauve7x'],
  ['-u of curl without a blank', 'curl -uuser:mauve7x https://x', 'mauve7x'],
  ['-u of curl among others', 'curl -su user:mauve7x https://x', 'mauve7x'],
  ['--pass of redis-cli', 'redis-cli --pass mauve7x ping', 'mauve7x'],
  ['requirepass', 'requirepass mauve7x\nmasterauth "mauve8x"\n', 'mauve7x', 'mauve8x'],
  ['requirepass in an argv', '["redis-server","--requirepass","mauve7x"]', 'mauve7x'],
  ['-p of mongosh', 'mongosh -u ada -p mauve7x', 'mauve7x'],
  ['-passin of openssl', 'openssl rsa -in k -passin pass:mauve7x', 'mauve7x'],
  [
    'literals of kubectl create secret',
    'kubectl create secret generic x --from-literal=a=mauve7x --from-literal b=green8',
    'mauve7x',
    'green8',
  ],
  ['PGPASSWORD', 'PGPASSWORD=mauve7x psql -h db', 'mauve7x'],
  ['.npmrc', '//registry.npmjs.org/:_authToken=mauve7x-0123', 'mauve7x-0123'],
  ['.netrc', 'default login ada password mauve7x', 'mauve7x'],
  [
    'a key of a service bus',
    'Endpoint=sb://x/;SharedAccessKeyName=R;SharedAccessKey=bWF1dmUrbWF1dmU=',
    'bWF1dmUrbWF1dmU=',
  ],
  ['a web hook of Discord', `https://discord.com/api/v10/webhooks/123456/${letters(40)}`, letters(40)],
  ['a JWT in a cookie', `Set-Cookie: x=${JWT}; Path=/`, JWT],
];

/** Telling names in other letters. */
const disguised: readonly Planted[] = [
  ['a name with letters of Cyrillic', 'pаsswоrd=mauve7x\n', 'mauve7x'],
  ['a name with letters of Cyrillic in JSON', '{"ключ":"é","pаssword":"mauve7x"}', 'mauve7x'],
  ['a name with letters of Greek', 'pαssword=mauve7x и ещё\n', 'mauve7x'],
  ['a name with an invisible character', 'pass\u200bword: mauve7x\n', 'mauve7x'],
  ['a wide name', '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44=mauve7x\n', 'mauve7x'],
];

const hook: Planted = ['a web hook', `https://hooks.slack.com/services/T000/B000/${letters(24)}`, letters(24)];

/** More than a hundred secrets, through every channel that prints them. */
export const PLANTED: readonly Planted[] = [
  ...kubernetes,
  ...places,
  ...keys,
  ...tokens,
  hook,
  ...folded,
  ...programs,
  ...disguised,
];

/** Whether a text is known for a secret in lines of its own only: in JSON, YAML of a Secret has neither its kind nor its columns. */
export const needsItsLines = (text: string): boolean =>
  /^(?:kind|apiVersion|items|users|env|args| {2,})/.test(text) || /\|\n/.test(text);
