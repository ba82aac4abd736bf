import { APPLICATIONS } from './stored_applications.ts'
import { CONFIGURATION } from './stored_configuration.ts'
import { CREDENTIALS } from './stored_credentials.ts'
import { CLIENTS } from './stored_clients.ts'
import { IDENTITIES } from './stored_identities.ts'
import { LINKS } from './stored_links.ts'
import { PICTURES } from './stored_pictures.ts'
import { SESSIONS } from './stored_sessions.ts'
import { SETTINGS } from './stored_settings.ts'
import { TRAIL } from './stored_trail.ts'
import { USERS } from './stored_users.ts'
import { WEBHOOKS } from './stored_webhooks.ts'
import type { Installation } from '../../process/installation.ts'

/*
 | Everything that an installation stores for somebody: every kind of user, credential, key and
 | secret, with how it is made and how it is proved afterwards. What keeps, moves or restores
 | an installation is tested against each row. A new kind adds its row here.
 */

/** Uses what was made, at the installation that should have it, and says what came of it. */
export type Prove = (at: Installation) => Promise<string>

/** What another outcome than `kept` is, and why that is right. */
export interface Loss {
  outcome: string
  because: string
}

/** Something that is revoked, deleted or used once, and proved to stay so. */
interface Revocable {
  revoke: () => Promise<unknown>
  prove: Prove
}

export interface StoredKind {
  make: (at: Installation) => Promise<Prove | Revocable>
  /** The outcome of a proof wherever it was kept. What was revoked has to stay so. */
  kept: string
  /** Once every entry of a keyring that is older than the newest was dropped. */
  dropped?: Loss
  /** In another installation, after `user:export --with-hashes` and `user:import`. */
  imported?: Loss
  /** In another installation, after `backup:create` and `backup:restore`. */
  restored?: Loss
  /** Once Redis has lost all its data, where it is the store. */
  emptied?: Loss
  /** On a promoted standby that never received the revocation, which the log tells. */
  unrevoked?: Loss
  /** The same of sessions, which come back where the database stores them. */
  resumed?: Loss
}

export const STORED_KINDS: Record<string, StoredKind> = {
  ...USERS,
  ...IDENTITIES,
  ...CREDENTIALS,
  ...CLIENTS,
  ...APPLICATIONS,
  ...SESSIONS,
  ...LINKS,
  ...PICTURES,
  ...TRAIL,
  ...WEBHOOKS,
  ...SETTINGS,
  ...CONFIGURATION,
}

/** Each kind with a proof of what was made of it; nothing is revoked yet. */
export async function makeUnrevoked(at: Installation) {
  const made = []
  for (const [name, kind] of Object.entries(STORED_KINDS)) {
    const one = await kind.make(at)
    made.push({ ...kind, name, ...(typeof one === 'function' ? { prove: one } : one) })
  }
  return made
}

export type MadeKind = StoredKind & { name: string; prove: Prove; revoke?: Revocable['revoke'] }

export async function revokeEach(made: MadeKind[]) {
  for (const { revoke } of made) await revoke?.()
}

/** Each kind with a proof of what was made and, where it is about that, revoked. */
export async function makeEveryKind(at: Installation) {
  const made: MadeKind[] = await makeUnrevoked(at)
  await revokeEach(made)
  return made
}

/** The outcome of every proof by the name of its kind. */
export async function proveEach(made: MadeKind[], at: Installation) {
  const outcomes: Record<string, string> = {}
  for (const { name, prove } of made) outcomes[name] = await prove(at)
  return outcomes
}

type LossName = 'dropped' | 'imported' | 'restored' | 'emptied' | 'unrevoked' | 'resumed'

/** What every proof has to come to, where the losses of these names are right. */
export function expectedOf(made: MadeKind[], ...losses: LossName[]) {
  const outcomes = made.map((kind) => {
    const loss = losses.find((name) => kind[name])
    return [kind.name, loss ? kind[loss]!.outcome : kind.kept]
  })
  return Object.fromEntries(outcomes) as Record<string, string>
}

/** The providers and applications beside an installation that the kinds need. */
export { startCounterparts, STORED_SETTINGS } from './stored_counterparts.ts'
