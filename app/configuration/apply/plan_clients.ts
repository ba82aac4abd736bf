import { v7 as uuidv7 } from 'uuid'
import { groupKey, isProviderName } from '#groups/group_name'
import { lockAllowedGroups } from '#oidc/clients/access/allowed_groups'
import { assertFields, assertServiceAccount, assertSettings } from '#oidc/clients/assert_settings'
import { hasSecret, isTrusted, type ClientSettings, type OAuthClient } from '#oidc/clients/client'
import {
  createWithin,
  giveDigestWithin,
  rotateWithin,
  updateWithin,
} from '#oidc/clients/client_changes'
import { changedFields, withDefaults } from '#oidc/clients/client_fields'
import { assertSizes } from '#oidc/clients/client_limits'
import { queueEndOfAccess } from '#oidc/clients/lost_access/end_access_job'
import { setLogoWithin } from '#oidc/clients/logo'
import { prepareKey } from '#oidc/clients/prepare_key'
import { isSecretDigest } from '#oidc/clients/secret_digests'
import { hashSecret, newSecret } from '#oidc/clients/secrets'
import { updated } from '#oidc/clients/updated_client'
import { errorAt, type Entry } from '#configuration/document/entries'
import { NO_ACCOUNT, SEVERAL_ACCOUNTS, UNKNOWN_GROUP } from './plan_accounts.ts'
import { canBeMade, makeProviderGroups, NO_PROVIDER_GROUP } from './provider_groups.ts'
import { entriesOf, hasGroup, type Situation } from './situation.ts'
import { refusalError, type Step } from './step.ts'
import {
  becomesTrusted,
  givesAuthentication,
  losesGroups,
  settingsAsNew,
  UNNAMED_GROUPS,
  withResetAddresses,
} from './taken_over_client.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

type ClientEntry = Entry<'clients'>

export function planClients(situation: Situation): Step[] {
  return entriesOf(situation, 'clients').map((entry) => planClient(entry, situation))
}

function planClient(entry: ClientEntry, situation: Situation): Step {
  const before = situation.clients.get(entry.value.clientId)
  const given = before
    ? changesOf(before, entry, situation).changes
    : givenSettings(entry, situation)
  const after = before ? updated(before, given) : withDefaults(asNew(entry, given))
  assertUsable(entry, { before, after }, situation)
  if (before && becomesTrusted(before, after)) assertOwnSecret(entry, after, situation)
  if (!before) return newClient(entry, situation)
  const fields = Object.keys(changedFields(before, given))
  const isRotated = !hasSecretOf(before, entry)
  const changed = isRotated ? [...fields, 'clientSecret'] : fields
  const run: Step['run'] = (trx) => changeWithin(before, { entry, situation }, trx)
  return { entry, kind: 'client', id: before.id, fields: changed, run }
}

/**
 * Resets settings that the file does not name, for a client that a key may have registered.
 * `isFirst` is true for a client that no file has managed: the file expects to make it.
 */
function changesOf(before: OAuthClient, entry: ClientEntry, situation: Situation) {
  const given = givenSettings(entry, situation)
  const { managedFields, knownClients } = situation
  const isNowTrusted = becomesTrusted(before, { ...before, ...given })
  const isFirst = isNowTrusted
    ? !managedFields.has(before.id)
    : !isTrusted(before) && !knownClients.has(before.id) && givesAuthentication(entry.named)
  if (isFirst) return { isFirst, changes: settingsAsNew(before, before.clientId, given) }
  return { isFirst, changes: isNowTrusted ? withResetAddresses(given) : given }
}

function assertOwnSecret(entry: ClientEntry, after: ClientSettings, { errors }: Situation) {
  if (!hasSecret(after) || entry.value.secret !== undefined) return
  const message =
    'A client that is here already becomes first party or gets access to the API: give it a secret, by secretFrom'
  errors.push(errorAt(entry, '', message))
}

/** The id of an account that is made together with the client. */
const NOT_MADE_YET = '00000000-0000-7000-8000-000000000000'

/** Returns settings with the stored names of groups, so that other capitals are no change. */
function givenSettings({ value }: ClientEntry, situation: Situation): Partial<ClientSettings> {
  const { clientId, serviceAccount, secret, allowedGroups: names, ...settings } = value
  const given: Partial<ClientSettings> = withoutUndefined(settings)
  if (serviceAccount !== undefined)
    given.serviceAccountId = serviceAccount && accountId(serviceAccount, situation)
  if (names !== undefined)
    given.allowedGroups = names.map((name) => situation.groups.get(groupKey(name))?.name ?? name)
  return given
}

function withoutUndefined<T extends object>(values: T) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as Partial<T>
}

function accountId(username: string, { accounts, madeAccounts }: Situation) {
  const [user] = accounts.get(username) ?? []
  return user?.id ?? madeAccounts.get(username) ?? NOT_MADE_YET
}

function asNew({ value: { clientId } }: ClientEntry, given: Partial<ClientSettings>) {
  return { name: clientId, ...given, clientId }
}

function hasSecretOf(client: OAuthClient, { value: { secret } }: ClientEntry) {
  if (secret === undefined) return true
  return isSecretDigest(secret)
    ? client.secretDigest === secret
    : client.secretHash === hashSecret(secret)
}

/** Checks that the settings fit together, and that the records that they name exist. */
function assertUsable(
  entry: ClientEntry,
  { before, after }: { before?: OAuthClient; after: ClientSettings },
  situation: Situation
) {
  const { errors } = situation
  const { serviceAccount, allowedGroups = [], secret } = entry.value
  const refuse = (field: string, message: string) => errors.push(errorAt(entry, field, message))
  if (secret !== undefined && !hasSecret(after))
    refuse('secretFrom', 'This kind of client has no secret: see tokenEndpointAuthMethod')
  for (const [at, name] of allowedGroups.entries())
    if (!hasGroup(situation, name) && !canBeMade(name))
      refuse(`allowedGroups.${at}`, isProviderName(name) ? NO_PROVIDER_GROUP : UNKNOWN_GROUP)
  if (before && !entry.value.allowedGroups && losesGroups(before, after))
    refuse('allowedGroups', UNNAMED_GROUPS)
  const unknown = serviceAccount ? accountError(serviceAccount, situation) : null
  if (unknown) refuse('serviceAccount', unknown)
  try {
    assertFields(after)
    assertSizes(after, before ?? null)
    if (!unknown) assertServiceAccount(after, after.serviceAccountId !== null)
  } catch (error) {
    errors.push(refusalError(entry, error))
  }
}

function accountError(username: string, situation: Situation) {
  const [one, ...more] = situation.accounts.get(username) ?? []
  if (more.length > 0) return SEVERAL_ACCOUNTS
  const accounts = entriesOf(situation, 'serviceAccounts')
  const isKnown = one ?? accounts.some(({ value }) => value.username === username)
  return isKnown ? null : NO_ACCOUNT
}

function newClient(entry: ClientEntry, situation: Situation): Step {
  const { actor, afterCommit } = situation
  const run: Step['run'] = async (trx) => {
    const { clientId, secret, allowedGroups } = entry.value
    await makeProviderGroups(allowedGroups, situation, trx)
    const settings = withDefaults(asNew(entry, givenSettings(entry, situation)))
    await assertSettings(settings, trx)
    const registration = { id: uuidv7(), clientId, settings, ...secretsOf(settings, secret), actor }
    const { client } = await createWithin(registration, trx)
    afterCommit.push(() => prepareKey(client))
    return client.id
  }
  return { entry, kind: 'client', id: null, fields: entry.named, run }
}

function secretsOf(settings: ClientSettings, secret?: string) {
  if (!hasSecret(settings)) return { clientSecret: null }
  if (secret && isSecretDigest(secret)) return { clientSecret: null, secretDigest: secret }
  return { clientSecret: secret ?? newSecret() }
}

async function changeWithin(
  before: OAuthClient,
  { entry, situation }: { entry: ClientEntry; situation: Situation },
  trx: Transaction
) {
  const { actor, afterCommit } = situation
  const { allowedGroups, secret } = entry.value
  const { changes, isFirst } = changesOf(before, entry, situation)
  await makeProviderGroups(allowedGroups, situation, trx)
  const groups = changes.allowedGroups && (await lockAllowedGroups(changes.allowedGroups, trx))
  const after = await updateWithin(before, { changes, actor, groups }, trx)
  const client = isFirst ? await setLogoWithin(after, { picture: null, actor }, trx) : after
  const isNowTrusted = becomesTrusted(before, client)
  if (isNowTrusted) await queueEndOfAccess({ clientId: client.clientId, isForEverybody: true }, trx)
  const isOfFile = situation.managedFields.get(before.id)?.includes('clientSecret') ?? false
  const endsCurrent = !isOfFile || isNowTrusted
  if (secret !== undefined && !hasSecretOf(client, entry))
    await giveSecret(client, { secret, actor, endsCurrent }, trx)
  if (changes.idTokenAlgorithm) afterCommit.push(() => prepareKey(client))
  return client.id
}

async function giveSecret(
  client: OAuthClient,
  { secret, actor, endsCurrent }: { secret: string; actor: Actor; endsCurrent: boolean },
  trx: Transaction
) {
  if (isSecretDigest(secret)) await giveDigestWithin(client, { actor, secretDigest: secret }, trx)
  else await rotateWithin(client, { actor, given: secret, endsCurrent }, trx)
}
