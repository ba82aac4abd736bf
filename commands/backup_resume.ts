import { OperatorCommand } from './_operator_command.ts'

export default class BackupResume extends OperatorCommand {
  static commandName = 'backup:resume'
  static description = 'Let a restored installation send mails, webhooks and logout messages again'
  static help = [
    'After backup:restore these and scheduled backups are paused, so that a copy on a test',
    'machine sends nothing. Servers resume within a second.',
    '',
    'Examples:',
    '  {{ binaryName }} backup:resume',
  ]

  async perform() {
    const { resumeOutbound } = await import('#backup/outbound_pause')
    const resumed = await resumeOutbound(this.actor)
    if (this.json) return this.printJson({ resumed })
    const done = 'Mails, webhooks, logout messages and scheduled backups run again.'
    this.tell(resumed ? done : 'Sending was not paused.')
  }
}
