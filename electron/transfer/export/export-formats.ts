import type { ExportFormat as FormatName } from '../../bridge/rows.ts'
import type { ExportFormat } from './export-entry.ts'
import { dockerFormat } from './write-docker.ts'
import { dotenvFormat } from './write-dotenv.ts'
import { jsonFormat } from './write-json.ts'
import { kubernetesFormat } from './write-kubernetes.ts'
import { shellFormat } from './write-shell.ts'
import { yamlFormat } from './write-yaml.ts'

export const exportFormats: Readonly<Record<FormatName, ExportFormat>> = {
  env: dotenvFormat,
  json: jsonFormat,
  yaml: yamlFormat,
  shell: shellFormat,
  docker: dockerFormat,
  kubernetes: kubernetesFormat,
}
