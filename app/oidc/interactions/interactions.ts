import type { DeviceCode, Interaction } from 'oidc-provider'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { lockForChange } from '#auth/lock_for_change'
import { throttleProfileChange } from '#auth/lockout/throttle'
import { selectPasskeys } from '#auth/passkeys/passkey_rows'
import { addConsent, type RequestedAccess } from '#oidc/consents/consents'
import { acrOf } from '#oidc/tokens/acr'
import { isNewerThan, isStale, lacksFactor } from '#oidc/provider/freshness'
import { oidcProvider } from '#oidc/provider/provider'
import { readIdTokenHint } from '#oidc/tokens/id_token_hint'
import { mayAccessClient } from '#oidc/tokens/client_access'
import { excludesSubject } from '#oidc/tokens/requested_claims'
import { saveInteraction } from '#oidc/records/payloads'
import type { OwnMetadata } from '#oidc/clients/metadata'
import type { InteractionResult } from '#oidc/provider/policy'
import type { Actor } from '#audit/actor'
import type { WebCaller } from '#auth/sessions/web_session'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** Returns null in another browser: an attacker's link must not make a user consent for them. */
export async function findInteraction(uid: string, cookie: string | null) {
  return uid === cookie ? ((await oidcProvider().Interaction.find(uid)) ?? null) : null
}

interface AuthorizationError {
  error: 'access_denied' | 'unmet_authentication_requirements'
  error_description: string
}

type Answer = InteractionResult | AuthorizationError

/** Drops the session of the start, because a user who signed in later has another session. */
export async function answerInteraction(interaction: Interaction, answer: Answer) {
  await db.transaction((trx) => saveAnswer(interaction, answer, trx))
  return interaction.returnTo
}

function saveAnswer(interaction: Interaction, answer: Answer, trx: Transaction) {
  interaction.result = 'error' in answer ? answer : { ...interaction.lastSubmission, ...answer }
  interaction.session = undefined
  return saveInteraction(interaction, trx)
}

/** Records the consent if and only if this answer counts. */
export async function answerWithConsent(
  interaction: Interaction,
  { session, user }: WebCaller,
  { access, actor }: { access: RequestedAccess; actor: Actor }
) {
  await throttleProfileChange(user.id)
  const consent = { userId: user.id, clientId: interaction.params.client_id }
  await db.transaction(async (trx) => {
    await lockForChange(user.id, actor, trx)
    const isFirst = await saveAnswer(interaction, { consented: session.id }, trx)
    if (isFirst) await addConsent(consent, access, { actor, trx })
  })
  return interaction.returnTo
}

export type SignInStep = 'done' | 'confirm' | 'factor' | 'locked' | 'other_account' | 'no_access'

export async function nextStep(
  { params, prompt }: Pick<Interaction, 'params' | 'prompt'>,
  { session, user }: WebCaller
): Promise<SignInStep> {
  const { reasons, details } = prompt
  if (user.isLocked()) return 'locked'
  if (reasons.includes('id_token_hint') && !(await isHinted(user, params))) return 'other_account'
  if (isStale(params, session) && !isNewerThan(details.askedAt, session)) return 'confirm'
  const requireMfa = await requiresMfa(params.client_id)
  if (!lacksFactor(params, { acr: acrOf(session), user, requireMfa })) return 'done'
  return (await hasSecondFactor(user)) ? 'confirm' : 'factor'
}

async function requiresMfa(clientId: string) {
  const client = await oidcProvider().Client.find(clientId)
  const { rule }: Partial<OwnMetadata> = client?.gatehouse ?? {}
  return rule?.requireMfa ?? false
}

/** The request may have come before the sign-in. */
async function isHinted({ id }: User, params: Interaction['params']) {
  const hint = await readIdTokenHint(params.id_token_hint)
  return hint?.sub === id
}

/** A device has no policy (`provider/policy.ts`). */
export async function nextStepForDevice(
  { clientId, params, iat }: DeviceCode,
  caller: WebCaller
): Promise<SignInStep> {
  if (!(await mayAccessClient(clientId, caller.user))) return 'no_access'
  if (excludesSubject(params, caller.user.id)) return 'other_account'
  const prompt = { name: 'login', reasons: [], details: { askedAt: iat * 1_000 } }
  return nextStep({ params, prompt }, caller)
}

async function hasSecondFactor(user: User) {
  if (user.mfaEnabled) return true
  const passkeys = await selectPasskeys(user.id)
  return passkeys.length > 0
}

/** @param isHere whether the page of this interaction, and no other tab, signed the user in */
export function authenticationOf(
  { prompt }: Interaction,
  session: SessionRecord,
  isHere: boolean
): InteractionResult {
  const { askedAt } = prompt.details
  const isProved = isNewerThan(askedAt, session)
  return {
    ...(isProved && { proved: session.id }),
    ...(isProved && isHere && { clicked: session.id }),
    ...(isHere && hasBegunSince(askedAt, session) && { selected: session.id }),
  }
}

/** A sign-in chooses the account. */
export function hasBegunSince(askedAt: number, { createdAt }: SessionRecord) {
  return createdAt >= askedAt
}
