/**
 * Guesses from a variable's name whether its value is a secret. It only sets the switch that the user sees after an import. In doubt it
 * says yes, because a masked value does less harm than a shown one.
 */
export function guessSecret(name: string): boolean {
  const words = wordsOf(name)
  if (/^(OLD)?PWD$/.test(name)) return false
  if (isPublished(words)) return false
  const sure = words.findIndex(isSureWord)
  if (sure !== -1) return !isAboutIt(words.slice(sure + 1))
  const key = words.findIndex((word) => word === 'KEY' || word === 'KEYS')
  if (key !== -1) return !words.includes('PUBLIC') && !isAboutIt(words.slice(key + 1))
  return holdsALogin(words)
}

/** `dbPassword`, `DB_PASSWORD` and `db-password` are the same two words. */
function wordsOf(name: string): string[] {
  const split = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
  return split
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Alone or run together with the word before it, as in PGPASSWORD and AUTHTOKEN. */
const sureEnding =
  /(SECRETS?|TOKENS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|CREDS|APIKEYS?|SECRETKEY|PRIVATEKEY|ACCESSKEY|AUTHKEY|SIGNINGKEY)$/
const sureWords = new Set([
  'DSN',
  'PRIVATE',
  'PASS',
  'PWD',
  'PIN',
  'SALT',
  'PEPPER',
  'JWT',
  'HMAC',
  'BEARER',
  'COOKIE',
  'DBPASS',
  'AUTH',
  'PAT',
  'OTP',
  'TOTP',
])

function isSureWord(word: string): boolean {
  return sureWords.has(word) || (sureEnding.test(word) && !notSure.has(word))
}

const notSure = new Set(['SECRETSMANAGER', 'TOKENIZER'])

/** Frameworks put variables of these names into pages that anyone can read. */
const publishedPrefixes = [
  ['NEXT', 'PUBLIC'],
  ['NUXT', 'PUBLIC'],
  ['EXPO', 'PUBLIC'],
  ['VITE'],
  ['REACT', 'APP'],
  ['VUE', 'APP'],
  ['GATSBY'],
  ['PUBLIC'],
]

function isPublished(words: string[]): boolean {
  return words.includes('PUBLISHABLE') || publishedPrefixes.some((prefix) => prefix.every((word, index) => words[index] === word))
}

/** With these last words, the name means something about the secret, not the secret itself: TOKEN_TTL, PRIVATE_KEY_PATH, KEY_ID. */
function isAboutIt(after: string[]): boolean {
  const last = after.at(-1)
  return last !== undefined && aboutWords.has(last)
}

const aboutWords = new Set(
  `ID NAME PATH FILE FILENAME DIR FOLDER URL URI ENDPOINT HOST PORT DOMAIN TTL EXPIRY EXPIRES EXPIRATION LIFETIME AGE TIMEOUT INTERVAL LENGTH SIZE BITS COUNT
  LIMIT MIN MAX ALGORITHM ALG TYPE FORMAT PREFIX SUFFIX HEADER ENABLED DISABLED REQUIRED VERSION ROTATION DAYS HOURS MINUTES SECONDS MS ISSUER AUDIENCE SCOPE
  SCOPES POLICY PROVIDER METHOD MODE ROUNDS REALM REGION USER USERNAME ARN SAMESITE SECURE`.split(/\s+/),
)

/** Addresses of services that are reached with a login inside the address. */
function holdsALogin(words: string[]): boolean {
  if (words.includes('CONNECTION') && words.some((word) => word === 'STRING' || word === 'URL' || word === 'URI')) return true
  const last = words.at(-1)
  return (
    (last === 'URL' || last === 'URI' || last === 'WEBHOOK') &&
    (last === 'WEBHOOK' || words.slice(0, -1).some((word) => loginServices.has(word)))
  )
}

const loginServices = new Set(
  `DATABASE DB POSTGRES POSTGRESQL PG MYSQL MARIADB MONGO MONGODB REDIS VALKEY AMQP RABBITMQ NATS KAFKA CELERY BROKER SMTP LDAP ELASTICSEARCH CLICKHOUSE
  SUPABASE NEON WEBHOOK`.split(/\s+/),
)
