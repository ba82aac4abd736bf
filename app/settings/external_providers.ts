import config from '#config/settings'
import external from '#config/external'
import limits from '#config/limits'
import { assertMay } from '#auth/callers/permissions'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { assertActive } from '#auth/lock_for_change'
import { E_NOT_FOUND, invalidField } from '#exceptions/http_errors'
import { ensureSettings, refreshSettings } from '#settings/values/ensure_settings'
import { E_PROVIDER_EXISTS, E_PROVIDER_LIMIT, E_SET_BY_ENVIRONMENT } from './errors.ts'
import { storedProviders } from '#settings/values/current'
import { givenProviders, isGivenProvider } from './given_providers.ts'
import { assertUnlocked } from './read_changes.ts'
import { recordProvider } from './record_provider.ts'
import { throttleChanges } from './throttle.ts'
import { decryptProviderSecret, encryptProviderSecret } from '#settings/values/secrets'
import { lockSettings } from '#settings/values/setting_rows'
import {
  deleteProviderRow,
  insertProvider,
  readProviders,
  updateProviderRow,
} from '#settings/values/provider_rows'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface ListedProvider {
  name: string
  issuer: string
  clientId: string
  source: 'environment' | 'console'
  writable: boolean
  /** Set if the environment hides a provider of this name that was saved in the console. */
  hidden?: true
}

export interface ProviderInput {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

export async function listProviders(): Promise<ListedProvider[]> {
  await ensureSettings()
  const { github } = external
  const given = [
    ...givenProviders,
    ...(github ? [{ ...github, name: 'github', issuer: github.url }] : []),
  ]
  const stored = storedProviders()
  const isStored = (name: string) => stored.some((each) => each.name === name)
  return [
    ...given.map((each) => listed(each, ofEnvironment(isStored(each.name)))),
    ...stored
      .filter(({ name }) => !isGivenProvider(name))
      .map((each) => listed(each, { source: 'console', writable: config.inConsole })),
  ]
}

type Source = Pick<ListedProvider, 'source' | 'writable' | 'hidden'>

function ofEnvironment(hides: boolean): Source {
  return { source: 'environment', writable: false, ...(hides && { hidden: true }) }
}

function listed({ name, issuer, clientId }: Omit<ProviderInput, 'clientSecret'>, source: Source) {
  return { name, issuer, clientId, ...source }
}

/** @throws E_PROVIDER_EXISTS, E_PROVIDER_LIMIT, and what `assertMay` throws */
export async function createProvider(input: ProviderInput, actor: Actor) {
  if (isGivenProvider(input.name)) throw new E_PROVIDER_EXISTS()
  return change(actor, async (trx) => {
    const before = await readProviders(trx)
    if (before.some(({ name }) => name === input.name)) throw new E_PROVIDER_EXISTS()
    if (before.length >= limits.externalProviders) throw new E_PROVIDER_LIMIT()
    await insertProvider({ ...input, clientSecret: encryptProviderSecret(input) }, { actor, trx })
    await recordProvider({ before: null, after: input, isNewSecret: true }, { actor, trx })
    return listed(input, { source: 'console', writable: config.inConsole })
  })
}

export type ProviderChanges = Partial<Omit<ProviderInput, 'name'>>

/** @throws E_NOT_FOUND, E_SET_BY_ENVIRONMENT, E_VALIDATION_ERROR, and what `assertMay` throws */
export async function updateProvider(name: string, changes: ProviderChanges, actor: Actor) {
  assertStored(name)
  return change(actor, async (trx) => {
    const before = await findProviderOrFail(name, trx)
    const { issuer = before.issuer, clientId = before.clientId } = changes
    const known = decryptProviderSecret(before, issuer)
    const clientSecret = secretFor(changes, known)
    const after = { name, issuer, clientId, clientSecret }
    const isNewSecret = clientSecret !== known
    const isSame = !isNewSecret && issuer === before.issuer && clientId === before.clientId
    if (!isSame) {
      const row = { ...after, clientSecret: encryptProviderSecret(after) }
      await updateProviderRow(row, { actor, trx })
      await recordProvider({ before, after, isNewSecret }, { actor, trx })
    }
    return listed(after, { source: 'console', writable: config.inConsole })
  })
}

/** A stored secret goes only to the issuer that it was saved with. @throws E_VALIDATION_ERROR */
export function secretFor({ clientSecret }: { clientSecret?: string }, known: string | null) {
  const secret = clientSecret ?? known
  if (secret !== null) return secret
  const message = 'The clientSecret field must be sent again for another issuer'
  throw invalidField('clientSecret', 'issuer', message).onPages('configure.invalid.secret')
}

/** Identities stay: users can sign in by them again if the provider is added again. */
export async function deleteProvider(name: string, actor: Actor) {
  assertStored(name)
  await change(actor, async (trx) => {
    const before = await findProviderOrFail(name, trx)
    await deleteProviderRow(name, trx)
    await recordProvider({ before, after: null, isNewSecret: false }, { actor, trx })
  })
}

function assertStored(name: string) {
  if (isGivenProvider(name)) throw new E_SET_BY_ENVIRONMENT()
}

async function findProviderOrFail(name: string, trx: Transaction) {
  const stored = await readProviders(trx)
  const found = stored.find((each) => each.name === name)
  if (!found) throw new E_NOT_FOUND()
  return found
}

/** A provider may be an administrator's only way in. @throws E_LAST_ADMIN, E_TOO_MANY_REQUESTS */
async function change<Result>(actor: Actor, work: (trx: Transaction) => Promise<Result>) {
  assertUnlocked(actor)
  assertMay('settings', actor)
  await throttleChanges(actor)
  const result = await changeKeepingAnAdmin(async (trx) => {
    await assertActive(actor, trx)
    await lockSettings(trx)
    return work(trx)
  })
  await refreshSettings()
  return result
}
