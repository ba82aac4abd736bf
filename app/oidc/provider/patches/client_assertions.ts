import type { KeyObject } from 'node:crypto'
import Provider, { errors, type Client, type Context } from 'oidc-provider'
import limits from '#config/limits'
import { findClientKeys, type WantedKey } from '#oidc/assertions/client_keys'
import { algorithmsOf, assertionError, audiencesOf } from '#oidc/assertions/rules'
import { countAssertion } from '#oidc/assertions/use_once'
import { withSlowDown } from '#oidc/slow_down'
import type { OwnMetadata } from '#oidc/clients/metadata'

/**
 * oidc-provider 9.13 keeps the keys of a client for as long as they verify, and treats `Ed25519`
 * and `EdDSA` as two algorithms. Patched, `findClientKeys` provides the keys.
 */
export function verifyAssertions(provider: Provider) {
  const { Client, OIDCContext } = provider
  const find = Client.find
  Client.find = async function (id) {
    const client = await find.call(this, id)
    if (client?.clientAuthMethod === 'private_key_jwt') useOwnKeys(client)
    return client
  }
  const expected = OIDCContext.prototype.clientJwtAuthExpectedAudience
  OIDCContext.prototype.clientJwtAuthExpectedAudience = function () {
    return new Set(audiencesOf(this.client.gatehouse as OwnMetadata, [...expected.call(this)]))
  }
  provider.use(nameInvalidAssertions)
}

function useOwnKeys(client: Client) {
  const own = Object.getOwnPropertyDescriptor(client, 'asymmetricKeyStore')
  if (!own?.configurable) return
  Object.defineProperty(client, 'asymmetricKeyStore', { value: new AssertionKeys(client) })
}

interface Candidate {
  index: number
  /** Shared by the candidates of one assertion, so that all keys come from one look-up. */
  find: () => Promise<KeyObject[]>
}

/** The library selects keys synchronously, and waits for each key that it tries. */
class AssertionKeys {
  readonly #keys: OwnMetadata['keys']

  constructor({ gatehouse }: Client) {
    this.#keys = (gatehouse as OwnMetadata).keys
  }

  selectForVerify({ alg, kid }: WantedKey): Candidate[] {
    let found: Promise<KeyObject[]> | undefined
    const find = () => (found ??= findClientKeys(this.#keys, { alg, kid }))
    return Array.from({ length: limits.clientKeys }, (_, index) => ({ index, find }))
  }

  async getKeyObject({ index, find }: Candidate) {
    const keys = await find().catch(rememberFailure)
    if (index >= keys.length) throw new Error('the client has no such key')
    return keys[index]
  }

  fresh() {
    return true
  }
}

const failures = new WeakMap<Context, unknown>()

/** The library treats any failure as a key that does not fit. */
function rememberFailure(error: unknown): never {
  failures.set(Provider.ctx!, error)
  throw error
}

/** Called after the signature is verified. @throws invalid_client, slow_down */
export async function assertClientAssertion(
  ctx: Context,
  claims: Record<string, unknown>,
  { alg }: { alg: string }
) {
  const { clientId, gatehouse } = ctx.oidc.client
  const metadata: OwnMetadata = gatehouse
  const isAllowed = algorithmsOf(metadata).includes(alg)
  const error = isAllowed ? assertionError(claims, metadata) : 'alg is not allowed'
  if (error) throw new errors.InvalidClientAuth(error)
  await withSlowDown(ctx, 'too many assertions', () => countAssertion(clientId))
}

/** RFC 7523, section 3.2: an assertion that cannot be read is also `invalid_client`. */
async function nameInvalidAssertions(ctx: Context, next: () => Promise<void>) {
  await next()
  if (failures.has(ctx)) throw failures.get(ctx)
  if (ctx.body?.error_description !== 'invalid client_assertion format') return
  Object.assign(ctx, { status: 401 })
  ctx.body.error = 'invalid_client'
}
