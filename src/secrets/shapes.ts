/** Secrets that are known by their looks alone, wherever they stand. One capturing group in each is what is hidden. */
const TOKENS = [
  'gh[pousr]_[A-Za-z0-9]{30,255}', // GitHub
  'github_pat_[A-Za-z0-9_]{22,255}',
  'gl(?:pat|rt|dt|cbt|ptt|soat|ft)-[A-Za-z0-9_.-]{20,300}', // GitLab
  'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}', // Slack
  'xapp-[A-Za-z0-9-]{10,250}',
  '(?<!-)sk-(?=[\\w-]*\\d)(?:ant|proj|svcacct|admin|or|lf|live)?-?[A-Za-z0-9_-]{20,250}', // Anthropic, OpenAI and those after them
  '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}', // Stripe
  'whsec_[A-Za-z0-9+/=]{20,100}',
  '(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Z0-9])', // AWS
  'AIza[A-Za-z0-9_-]{35}', // Google
  'ya29\\.[A-Za-z0-9_-]{20,2000}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[A-Za-z0-9_-]{40,500}',
  'dckr_[po]at_[A-Za-z0-9_-]{20,100}',
  'hf_[A-Za-z0-9]{30,100}',
  'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}', // SendGrid
  'SK[0-9a-f]{32}(?![0-9a-f])', // Twilio
  'do[por]_v1_[a-f0-9]{64}', // DigitalOcean
  'shp(?:at|pa|ca|ss)_[A-Za-z0-9]{32,64}', // Shopify
  'lin_api_[A-Za-z0-9_]{32,128}',
  'figd_[A-Za-z0-9_-]{40,200}',
  'dapi[a-f0-9]{32}(?:-\\d)?(?![a-f0-9])', // Databricks
  'hv[sbr]\\.[A-Za-z0-9_-]{20,300}', // Vault
  '(?:gsk|glsa|glc)_[A-Za-z0-9_=+/]{32,300}', // Groq, Grafana
  'AGE-SECRET-KEY-1[A-Z0-9]{58}',
  'PMAK-[a-f0-9]{24}-[a-f0-9]{34}', // Postman
  'rubygems_[a-f0-9]{48}',
  'ntn_[0-9]{11}[A-Za-z0-9]{35}', // Notion
  'secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])',
  'vc[pirak]_[A-Za-z0-9]{20,60}(?![A-Za-z0-9])', // Vercel
  '(?:nvapi|xai|pplx)-[A-Za-z0-9_-]{30,200}',
  'fo1_[A-Za-z0-9_-]{40,100}',
  'tskey-[a-z]+-[A-Za-z0-9-]{16,100}', // Tailscale
  'key-[a-f0-9]{32}(?![a-f0-9])', // Mailgun
  'EAAC[A-Za-z0-9]{30,300}',
  'NRAK-[A-Z0-9]{27}', // New Relic
  'ph[cx]_[A-Za-z0-9]{40,60}', // PostHog
  'sntrys_[A-Za-z0-9+/=_-]{40,300}', // Sentry
  'sbp_[a-f0-9]{40}', // Supabase
  're_[A-Za-z0-9]{8,12}_[A-Za-z0-9]{20,30}', // Resend
  'api_org_[A-Za-z]{34}',
  '(?<!-)eyJ[A-Za-z0-9_-]{6,8000}\\.(?:eyJ[A-Za-z0-9_-]{4,}|[A-Za-z0-9_-]{10,})?\\.[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+){0,2}', // JWT, JWE
  'ops_eyJ[A-Za-z0-9_-]{50,4000}={0,2}', // 1Password
  '\\$(?:2[abxy]\\$\\d\\d|[156y]|apr1|argon2\\w{1,2})\\$[./A-Za-z0-9$=,+-]{20,300}', // crypt(5)
  '\\{S?SHA(?:\\d{3})?\\}[A-Za-z0-9+/]{20,120}={0,2}', // LDAP, htpasswd -s
];

const HOOKS = [
  'https?:\\/\\/hooks\\.slack(?:-gov)?\\.com\\/(?:services|workflows|triggers)\\/([A-Za-z0-9+/_-]{10,300})',
  'https?:\\/\\/(?:\\w{1,20}\\.)?discord(?:app)?\\.com\\/api\\/(?:v\\d+\\/)?webhooks\\/([0-9]+\\/[A-Za-z0-9_-]{20,120})',
  'https?:\\/\\/[\\w.-]*webhook\\.office\\.com\\/([A-Za-z0-9@/_-]{20,400})',
  '(?:[?&;]|\\\\u0026)sig=([A-Za-z0-9%+/=_-]{16,200})', // Azure shared access signature
  'X-(?:Amz|Goog)-Signature=([A-Fa-f0-9]{32,600})',
  '(?<![\\w.-])[\\w.-]{1,64}:((?:[^\\s:@/"\'\\\\]|@(?!tcp|unix)){1,200})@(?:tcp|unix)\\(', // Go database addresses
];

/** A token stands at the beginning of a word. */
export const TOKEN_SHAPES = new RegExp(`(?<![A-Za-z0-9_])(?:${TOKENS.join('|')})`, 'g');

/** Values inside addresses of a known form. */
export const HOOK_SHAPES = new RegExp(`(?:${HOOKS.join('|')})`, 'gd');

/** Base64 whose beginning decodes to the armour of a private key. */
export const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}={0,2}/g;

/** Options of programs that take a password without a telling name: words of which a line holds one, and one capturing group. */
export const CLIENT_OPTIONS: readonly (readonly [programs: readonly string[], option: RegExp])[] = [
  // `-p3306:3306` is a port of `docker run`.
  [['mysql', 'mariadb'], option(String.raw`\b(?:mysql|mariadb)[\w-]*~(?:§~)?-p(?!\d+:\d)([^\s"'\\,]{3,200})`)],
  [['sshpass'], option(String.raw`\bsshpass~+-p~*([^\s"'\\,]{1,200})`)],
  [
    ['curl', 'wget', 'http'],
    option(
      String.raw`\b(?:curl|wget|http)\b§~(?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)~*[^\s:'"=,\\-][^\s:'",]{0,100}:(?!\/\/)([^\s'"\\]{1,200})`,
    ),
  ],
  [['redis-cli'], option(String.raw`\bredis-cli\b§~(?:-a|--pass)~+([^\s'"\\]{1,200})`)],
  [
    ['requirepass', 'masterauth'],
    option(String.raw`(?:^\s*|--|["']|\b(?:set|SET)\s+)(?:requirepass|masterauth)~+([^\s"'\\,]{3,200})`),
  ],
  [['mongo'], option(String.raw`\bmongo\w*~§~?-p~+([^\s'"\\,]{1,200})`)],
  [['openssl'], option(String.raw`\bopenssl\b§~-pass(?:in|out)?~+pass:([^\s'"\\]{1,200})`)],
  [['--from-literal'], option(String.raw`(?<=\bcreate\s+secret\s§)--from-literal~+[\w.-]{1,253}=([^\s'"\\]{1,200})`)],
  [[' login '], option(String.raw`\b(?:docker|podman|helm|skopeo)\b§\slogin\b§~-p~*([^\s'"\\]{1,200})`)],
  [['ldap'], option(String.raw`\bldap\w+\b§~-w~+([^\s'"\\]{1,200})`)],
  [['htpasswd'], option(String.raw`\bhtpasswd\b§\s-\w*b\w*\s+\S+\s+\S+\s+([^\s'"\\]{1,200})`)],
  [['smbclient'], option(String.raw`\bsmbclient\b§\s-U\s*[^\s%]+%([^\s'"\\]{1,200})`)],
];

/** `~` stands for what separates arguments in a command line or a list, `§` for some of them. */
function option(source: string): RegExp {
  const separator = String.raw`(?:[\s,"'=]|\\+["'])`;
  return new RegExp(source.replaceAll('~', separator).replaceAll('§', String.raw`[^\n]{0,400}?`), 'dg');
}
