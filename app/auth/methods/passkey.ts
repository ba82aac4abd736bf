import { E_PASSKEY_INVALID } from '#auth/errors'
import { amrOfPasskey, PROVED_BY_PASSKEY } from '#auth/passkeys/amr'
import { listPasskeys, type PasskeyRecord } from '#auth/passkeys/passkey_record'
import { findPasskey } from '#auth/passkeys/passkey_rows'
import { removePasskeys } from '#auth/passkeys/remove_passkeys'
import type {
  MethodTraits,
  VerifiedMethod,
  VerifiedSession,
  SignInTransaction,
} from './sign_in_method.ts'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/** The key and what unlocks it are two factors, and neither can be guessed. */
export const passkey = {
  name: 'passkey',
  isGuessable: false,
  isMultiFactor: true,
  amr: (method) => amrOfPasskey(method),
  verifiedAt: () => undefined,
  restore: () => null,
  use: assertKept,
  hasVerified: ({ amr }: VerifiedSession) =>
    PROVED_BY_PASSKEY.amr.some((reference) => amr.includes(reference)),
  isEnrolled: (user: User) => user.hasPasskey,
  isLeft: hasOther,
  orWhereUsable: (query) => query.orWhere('passkey_count', '>', 0),
  credentials: {
    key: 'passkeys',
    list: listPasskeys,
    summarize: ({ name, holder, createdAt }: PasskeyRecord) => ({ name, holder, createdAt }),
    addedAt: ({ createdAt }: PasskeyRecord) => createdAt,
    removeSince,
  },
} satisfies MethodTraits<'passkey'>

// A passkey that was removed after its response starts no session; the user's row is locked.
async function assertKept(
  user: User,
  { id }: VerifiedMethod<'passkey'>,
  { trx }: SignInTransaction
) {
  if (!(await findPasskey({ id, userId: user.id }, trx))) throw new E_PASSKEY_INVALID()
  return user
}

async function hasOther({ id: userId }: User, removed: string | null, trx: Transaction) {
  const passkeys = trx.from('passkeys').where('user_id', userId)
  if (removed) passkeys.whereNot('id', removed)
  return Boolean(await passkeys.first())
}

async function removeSince(userId: string, since: number, trx: Transaction) {
  const passkeys = await removePasskeys(userId, { since }, trx)
  const { length } = passkeys
  return { removed: length > 0 ? { removedPasskeys: length } : {}, passkeys }
}
