import { withoutStatement } from '#database/without_statement'

/** The reason that a mail gives in the language of its reader. */
export type FailureReason = 'full' | 'unwritable' | 'other'

const REASONS: Record<string, FailureReason> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'unwritable',
  EPERM: 'unwritable',
  EROFS: 'unwritable',
  ENOTDIR: 'unwritable',
  EEXIST: 'unwritable',
}

const SENTENCES = {
  full: 'the disk of BACKUP_DIR is full',
  unwritable: 'BACKUP_DIR cannot be written',
}

export function reasonOf(error: Error & { code?: string }): FailureReason {
  return REASONS[error.code ?? ''] ?? 'other'
}

/** One line for doctor and the log. */
export function describeFailure(error: any) {
  const reason = reasonOf(error)
  const [line] = withoutStatement(String(error.message ?? error)).split('\n')
  return reason === 'other' ? line : `${SENTENCES[reason]} (${error.code})`
}
