/** `dashboard:` of the configuration (docs/bridge.md). */
import { z } from 'zod';

export const dashboardOptions = z
  .strictObject({
    on: z
      .union([z.literal('auto'), z.boolean()])
      .default('auto')
      .describe('auto: for paper on a terminal; else --dashboard turns it on and --no-dashboard off'),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(8899)
      .describe('Port of the dashboard, or the next that is free; 0: any that is free'),
    host: z.string().min(1).default('127.0.0.1').describe('Address that it listens on'),
    token: z
      .string()
      .default('auto')
      .describe('At least 32 characters; auto: one is made and kept in the folder of the session'),
    public: z
      .boolean()
      .default(false)
      .describe('A proxy in front of it encrypts, so it may listen beyond this machine; needs --behind-proxy too'),
    names: z
      .array(z.string().regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/, 'expected a host such as bot.example.com or nas:8443'))
      .default([])
      .describe('More hosts that it answers to, such as the name of a proxy; without a port also with its own'),
    tls: z
      .strictObject({
        certificate: z.string().min(1).describe('PEM file'),
        key: z.string().min(1).describe('PEM file'),
      })
      .optional()
      .describe('A certificate of its own; needed beyond this machine without a proxy'),
  })
  .prefault({});
