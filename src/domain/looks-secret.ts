const secretWords =
  /(^|[_\-.])(secret|secrets|token|password|passwd|pwd|pass|passphrase|private|credential|credentials|auth|apikey|dsn|cert|salt|signature|signing|webhook)([_\-.]|$)/i
const secretEndings = /([_\-.]|^)(key|keys|url|uri)$/i
const publicPrefixes = /^(public|next_public|vite|nuxt_public|react_app|expo_public|gatsby|public_)/i
const sealedUrls = /(database|db|redis|mongo|mongodb|postgres|postgresql|mysql|amqp|rabbitmq|smtp|sentry)/i

/** Whether a new variable called `name` most likely holds a secret: the first guess of the secret switch, which the user may turn. */
export const looksSecret = (name: string): boolean => {
  if (secretWords.test(name)) return true
  if (publicPrefixes.test(name)) return false
  const ending = secretEndings.exec(name)?.[2]?.toLowerCase()
  if (ending === undefined) return false
  return ending.startsWith('key') || sealedUrls.test(name)
}
