import { countBackupCodes } from '#auth/mfa/backup_codes'
import type User from '#models/user'

/** Users with so few backup codes need new ones soon. */
const FEW_CODES = 2

interface Suggestion {
  /** Its texts are the messages `account.suggestions.<id>`. */
  id: 'address' | 'second_factor' | 'backup_codes'
  icon: string
  path: string
  count?: number
}

export async function listSuggestions(user: User, base: string): Promise<Suggestion[]> {
  const codesLeft = user.mfaEnabled ? await countBackupCodes(user.id) : null
  const suggestions: (Suggestion | false)[] = [
    !user.isEmailVerified && { id: 'address', icon: 'mail', path: `${base}#address` },
    !user.mfaEnabled &&
      !user.hasPasskey && { id: 'second_factor', icon: 'shield', path: `${base}/security#mfa` },
    codesLeft !== null &&
      codesLeft <= FEW_CODES && {
        id: 'backup_codes',
        icon: 'key',
        path: `${base}/security#mfa`,
        count: codesLeft,
      },
  ]
  return suggestions.filter((suggestion) => suggestion !== false)
}
