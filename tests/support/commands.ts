import ace from '@adonisjs/core/services/ace'
import type { OperatorCommand } from '../../commands/_operator_command.ts'

type Command = typeof OperatorCommand & (new (...given: any[]) => OperatorCommand)

/** Returns what the command prints as JSON, what it tells, and its exit code. */
export async function runCommand(Given: unknown, args: string[]) {
  const result = { printed: null as any, told: '', code: 0 }
  class Captured extends (Given as Command) {
    async perform() {
      return (Given as Command).prototype.perform.call(this)
    }
    printJson(value: unknown) {
      result.printed = value
    }
    tell(message: string) {
      result.told += message
    }
  }
  const command = await ace.create(Captured as any, [...args, '--json'])
  await command.exec()
  result.code = command.exitCode ?? 0
  return result
}
