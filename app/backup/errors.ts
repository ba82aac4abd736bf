import { Refusal } from '#exceptions/refusal'

/** An archive that cannot be used: one sentence for operators, and nothing was changed. */
export class UnusableBackup extends Error {}

/** Of a version that writes archives of another form. */
export class OtherFormat extends UnusableBackup {}

/** A restore that is not allowed here and now; a command ends with 4. */
export class RefusedRestore extends Refusal {
  static status = 409
  static code = 'E_RESTORE_REFUSED'
}

/** Its cause came after the commit, and servers wait for the same restore again. */
export class UnfinishedRestore extends Error {
  constructor(cause: Error) {
    super('What the backup holds is here, but the restore is not done.', { cause })
  }
}
