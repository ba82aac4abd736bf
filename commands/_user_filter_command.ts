import { flags } from '@adonisjs/core/ace'
import { OperatorCommand } from './_operator_command.ts'

/** The filter equals the filter of the API. */
export abstract class UserFilterCommand extends OperatorCommand {
  @flags.string({ description: 'Part of an e-mail, username, handle or nickname' })
  declare search?: string

  @flags.string({ description: 'Accounts of this role' })
  declare role?: string

  @flags.string({ description: 'person or service' })
  declare kind?: string

  @flags.string({ description: 'active, locked, disabled or invited' })
  declare status?: string

  @flags.string({ description: 'yes or no: with or without a second factor' })
  declare mfa?: string

  @flags.string({ description: 'Created then or later, such as 2026-11-01T00:00:00Z' })
  declare createdFrom?: string

  @flags.string({ description: 'Signed in then or later' })
  declare lastLoginFrom?: string

  @flags.string({ description: 'Members of this group' })
  declare group?: string

  /** `listUsersValidator` validates them. */
  protected get criteria() {
    const { search, role, kind, status, mfa, createdFrom, lastLoginFrom, group } = this
    return { search, role, kind, status, mfa, createdFrom, lastLoginFrom, group }
  }
}
