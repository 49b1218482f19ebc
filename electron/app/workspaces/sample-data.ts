import type { VariableType } from '../../bridge/rows.ts'

export interface SampleVariable {
  name: string
  type: VariableType
  isSecret: boolean
  /** By environment slug. An environment that is not listed does not have the variable. */
  values: Readonly<Record<string, string>>
}

export interface SampleProject {
  name: string
  variables: readonly SampleVariable[]
}

export const sampleEnvironments = [
  { name: 'Development', slug: 'development' },
  { name: 'Staging', slug: 'staging' },
  { name: 'Production', slug: 'production' },
] as const

const plain = (name: string, development: string, staging: string, production: string): SampleVariable => ({
  name,
  type: 'string',
  isSecret: false,
  values: { development, staging, production },
})
const secret = (name: string, development: string, staging: string, production: string): SampleVariable => ({
  ...plain(name, development, staging, production),
  isSecret: true,
})
const typed = (type: VariableType, name: string, development: string, staging: string, production: string): SampleVariable => ({
  ...plain(name, development, staging, production),
  type,
})

/** The content of the sample: invented values that differ between environments as real ones do. */
export const sampleProjects: readonly SampleProject[] = [
  {
    name: 'Web shop',
    variables: [
      plain('APP_URL', 'http://localhost:3000', 'https://staging.shop.example', 'https://shop.example'),
      plain('LOG_LEVEL', 'debug', 'info', 'warn'),
      typed('number', 'PORT', '3000', '8080', '8080'),
      typed('number', 'SESSION_MINUTES', '1440', '60', '60'),
      typed('boolean', 'CHECKOUT_ENABLED', 'true', 'true', 'true'),
      typed('boolean', 'NEW_SEARCH', 'true', 'true', 'false'),
      plain('CURRENCY', 'EUR', 'EUR', 'EUR'),
      plain('MAIL_FROM', 'shop@localhost', 'staging@shop.example', 'orders@shop.example'),
      plain('CDN_URL', '', 'https://cdn-staging.shop.example', 'https://cdn.shop.example'),
      secret(
        'DATABASE_URL',
        'postgres://shop:shop@localhost:5432/shop',
        'postgres://shop:gentle-otter-41@db-staging.shop.example/shop',
        'postgres://shop:quiet-harbour-97@db.shop.example/shop',
      ),
      secret('SESSION_SECRET', 'only-for-development', 'sample-3f6c0b51a7', 'sample-9d24e8c06b'),
      secret('PAYMENT_API_KEY', 'pay_test_sample_111', 'pay_test_sample_222', 'pay_live_sample_333'),
      {
        name: 'SENTRY_DSN',
        type: 'string',
        isSecret: true,
        values: { staging: 'https://sample1@errors.example/4', production: 'https://sample2@errors.example/5' },
      },
      { name: 'MAIL_CATCHER_PORT', type: 'number', isSecret: false, values: { development: '1025' } },
    ],
  },
  {
    name: 'Reports',
    variables: [
      plain('SCHEDULE', '*/5 * * * *', '0 * * * *', '0 3 * * *'),
      plain('TIME_ZONE', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'),
      plain('EXPORT_BUCKET', 'reports-dev', 'reports-staging', 'reports'),
      plain('GREETING', 'Hello 👋', 'Hello', 'Good morning,\nhere are the figures of yesterday.'),
      typed('number', 'MAX_ROWS', '1000', '100000', '5000000'),
      typed('boolean', 'DRY_RUN', 'true', 'true', 'false'),
      secret('WAREHOUSE_PASSWORD', 'reports', 'sample-amber-kite', 'sample-silver-fern'),
      secret('WEBHOOK_TOKEN', 'hook-sample-dev', 'hook-sample-staging', 'hook-sample-production'),
    ],
  },
]
