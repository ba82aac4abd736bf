import Provider, { errors, type Client, type Context } from 'oidc-provider'
import { parseBasic } from '#oidc/clients/authenticate_client'
import { verifySecret, type PresentedSecret } from '#oidc/clients/verify_secret'
import { readsOf } from '#oidc/request_reads'
import { withSlowDown } from '#oidc/slow_down'
import { sourceOfRequest } from '#oidc/request_source'

const compared = new WeakSet<Context>()

const candidatesOf = new WeakMap<Context, string[]>()

/**
 * oidc-provider 9.13 compares plain secrets, without a limit, and refuses a `Basic` header that
 * is not form-encoded. Patched, `verifySecret` compares hashes within its limits.
 */
export function verifySecrets(provider: Provider) {
  provider.Client.prototype.compareClientSecret = function (this: Client, secret: string) {
    const ctx = Provider.ctx!
    compared.add(ctx)
    const client = { clientId: this.clientId, secrets: this.gatehouse.secrets }
    return verify(ctx, client, secret)
  }
  provider.use(async (ctx, next) => {
    encodeBasic(ctx)
    await next()
    if (ctx.body?.error === 'invalid_client') await countUnknown(ctx)
  })
}

function encodeBasic(ctx: Context) {
  const { headers } = ctx.req
  const credentials = parseBasic(headers.authorization)
  if (!credentials) return
  const { clientId, candidates } = credentials
  candidatesOf.set(ctx, candidates)
  const encoded = [clientId, candidates.at(-1)!].map(encodeURIComponent).join(':')
  headers.authorization = `Basic ${Buffer.from(encoded).toString('base64')}`
}

function verify(ctx: Context, client: PresentedSecret['client'], secret: string) {
  const candidates = candidatesOf.get(ctx) ?? [secret]
  const from = sourceOfRequest(ctx.req)
  const { evidence } = readsOf(ctx.req)
  const presented = { client, candidates, from, evidence }
  return withSlowDown(ctx, 'too many wrong secrets', () => verifySecret(presented))
}

/** An unknown client takes the same work, so that no answer tells an attacker which ids exist. */
async function countUnknown(ctx: Context) {
  const secret = candidatesOf.get(ctx)?.[0] ?? ctx.oidc.params?.client_secret
  if (!secret || compared.has(ctx)) return
  try {
    await verify(ctx, null, secret)
  } catch (error) {
    if (!(error instanceof errors.SlowDown)) throw error
    const { message, error_description: description } = error as Error & Record<string, string>
    ctx.res.removeHeader('www-authenticate')
    Object.assign(ctx, { status: 429, body: { error: message, error_description: description } })
  }
}
