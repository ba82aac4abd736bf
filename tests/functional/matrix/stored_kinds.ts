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
 | Everything that an installation stores for a person: users, credentials, keys and secrets, with
 | how each is made and proved later. Everything that keeps, moves or restores an installation is
 | tested with each row. A new kind adds its row here.
 */

/** Uses the record in the installation that should have it, and returns the outcome. */
export type Prove = (at: Installation) => Promise<string>

/** An outcome other than `kept`, and why it is right. */
export interface Loss {
  outcome: string
  because: string
}

/** A record that is revoked, deleted or used up, and that must stay so. */
interface Revocable {
  revoke: () => Promise<unknown>
  prove: Prove
}

export interface StoredKind {
  make: (at: Installation) => Promise<Prove | Revocable>
  /** The outcome of a proof wherever the record was kept. A revoked record must stay revoked. */
  kept: string
  /** After every entry of a keyring except the newest was dropped. */
  dropped?: Loss
  /** In another installation, after `user:export --with-hashes` and `user:import`. */
  imported?: Loss
  /** In another installation, after `backup:create` and `backup:restore`. */
  restored?: Loss
  /** After Redis, as the store, has lost all its data. */
  emptied?: Loss
  /** On a promoted standby that never received the revocation, as the log says. */
  unrevoked?: Loss
  /** The same loss for sessions, which come back if the database stores them. */
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

/** Makes each kind with its proof. Nothing is revoked yet. */
export async function makeUnrevoked(at: Installation) {
  const made = []
  for (const [name, kind] of Object.entries(STORED_KINDS)) {
    const one = await kind.make(at)
    made.push({ ...kind, name, ...(typeof one === 'function' ? { prove: one } : one) })
  }
  await at.endCommands()
  return made
}

export type MadeKind = StoredKind & { name: string; prove: Prove; revoke?: Revocable['revoke'] }

export async function revokeEach(made: MadeKind[]) {
  for (const { revoke } of made) await revoke?.()
}

/** Makes each kind with its proof, and revokes the kinds that are about revocation. */
export async function makeEveryKind(at: Installation) {
  const made: MadeKind[] = await makeUnrevoked(at)
  await revokeEach(made)
  return made
}

/** Returns the outcome of every proof by the name of its kind. */
export async function proveEach(made: MadeKind[], at: Installation) {
  const outcomes: Record<string, string> = {}
  for (const { name, prove } of made) outcomes[name] = await prove(at)
  return outcomes
}

type LossName = 'dropped' | 'imported' | 'restored' | 'emptied' | 'unrevoked' | 'resumed'

/** Returns the right outcome of every proof, if the named losses are accepted. */
export function expectedOf(made: MadeKind[], ...losses: LossName[]) {
  const outcomes = made.map((kind) => {
    const loss = losses.find((name) => kind[name])
    return [kind.name, loss ? kind[loss]!.outcome : kind.kept]
  })
  return Object.fromEntries(outcomes) as Record<string, string>
}

/** The providers and applications that the kinds need beside an installation. */
export { startCounterparts, STORED_SETTINGS } from './stored_counterparts.ts'
