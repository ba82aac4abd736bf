import { Refusal } from '#exceptions/refusal'

/** An archive cannot be used; nothing was changed. The message is one sentence for operators. */
export class UnusableBackup extends Error {}

/** The archive is from a version that writes another format. */
export class OtherFormat extends UnusableBackup {}

/** A restore is not allowed here and now. A command ends with exit code 4. */
export class RefusedRestore extends Refusal {
  static status = 409
  static code = 'E_RESTORE_REFUSED'
}

/** The restore failed after its commit. Servers wait until the same restore has run again. */
export class UnfinishedRestore extends Error {
  constructor(cause: Error) {
    super('What the backup holds is here, but the restore is not done.', { cause })
  }
}
