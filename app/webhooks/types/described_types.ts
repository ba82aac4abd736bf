import type { Member } from './members.ts'
import type { PublicType } from './public_types.ts'

/* Describes the public types for the API document and for the table in docs/webhooks.md. */

interface DescribedType {
  when: string
  /** The members that `data` may contain beside `sequence` and `actor`. */
  members: readonly Member[]
}

/** Every event that ends sessions names them. */
const ENDS = ['sessionIds', 'scope'] as const

const user = (when: string, ...others: Member[]): DescribedType => ({
  when,
  members: ['user', ...others],
})

export const DESCRIBED: Record<PublicType, DescribedType> = {
  'user.created': user('Someone signed up, or was added or invited. An import tells of no user.'),
  'user.updated': user(
    'Name, address, role, picture or another field changed.',
    'changed',
    ...ENDS
  ),
  'user.deleted': user('An account was deleted, with all personal data.', ...ENDS),
  'user.locked': user(
    'Failed sign-ins or an administrator locked an account.',
    'lockKind',
    'until'
  ),
  'user.unlocked': user('A lock ended before its time.'),
  'user.disabled': user('An administrator disabled an account.', ...ENDS),
  'user.enabled': user('An administrator enabled an account.'),
  'session.started': user('Someone signed in.', 'session', ...ENDS),
  'session.ended': user('Sessions ended: signed out, revoked, or stolen.', 'client', ...ENDS),
  'login.failed': user('A password or code was wrong.', 'reason', 'count'),
  'password.changed': user('A password was changed or reset.', ...ENDS),
  'mfa.enabled': user('A second factor was set up.', ...ENDS),
  'mfa.disabled': user('A second factor was switched off.', ...ENDS),
  'mfa.reset': user('An administrator removed every second factor.', ...ENDS),
  'mfa.suspended': user('Too many wrong codes: only a backup code helps.'),
  'mfa.backup_codes_replaced': user('Someone made new backup codes.'),
  'passkey.added': user('Someone added a passkey.', 'passkeyId'),
  'passkey.renamed': user('Someone renamed a passkey.', 'passkeyId'),
  'passkey.removed': user('A passkey was removed.', 'passkeyId', ...ENDS),
  'identity.linked': user('An account was linked to an external provider.', 'provider'),
  'identity.unlinked': user('The link to an external provider was removed.', 'provider', ...ENDS),
  'group.created': { when: 'A group was made.', members: ['group'] },
  'group.updated': { when: 'A group got another name or title.', members: ['group', 'changed'] },
  'group.deleted': { when: 'A group was deleted.', members: ['group', ...ENDS] },
  'group.member_added': user('A user came into a group.', 'group'),
  'group.member_removed': user('A user left a group.', 'group', ...ENDS),
  'application.authorized': user(
    'A user signed in to an application.',
    'client',
    'session',
    ...ENDS
  ),
  'application.consented': user('A user allowed a third-party application.', 'client'),
  'application.refused': user('A user had no access to an application.', 'client', 'count'),
  'application.withdrawn': user(
    'A user revoked what an application was allowed.',
    'client',
    ...ENDS
  ),
  'client.created': { when: 'An application was registered.', members: ['client'] },
  'client.updated': { when: 'An application was changed.', members: ['client', ...ENDS] },
  'client.secret_rotated': { when: 'An application got a new secret.', members: ['client'] },
  'client.deleted': { when: 'An application was deleted.', members: ['client', ...ENDS] },
  'webhook.test': { when: 'An administrator tests an endpoint.', members: ['webhookId'] },
}
