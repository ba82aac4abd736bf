import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

/** Changes one setting, and with `--json` prints it as `settings:list --json` does. */
export abstract class SettingCommand extends OperatorCommand {
  abstract key: string

  protected async assertKnown() {
    const { LISTED_NAMES } = await import('#settings/values/definitions')
    if (LISTED_NAMES.includes(this.key)) return
    throw new UsageError(`${this.key} is no setting: see settings:list`)
  }

  protected async done(message: string) {
    if (this.json) this.printJson(await this.#setting())
    this.tell(message)
  }

  async #setting() {
    const { listSettings } = await import('#settings/list_settings')
    const { settings } = await listSettings()
    return settings.find(({ key }) => key === this.key)
  }
}
