export interface paths {
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who this key is
         * @description The workspace and the key itself: a check of connectivity and permission.
         */
        get: operations["getApiContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Newest first, or as `sort` says; where it ranks amounts, `limit_per_currency` takes the first of each currency. Filters combine freely. A `search` without a match answers `nearest` customers. `available_amount` is what payment links could still be made for: of each collectible installment what its live links leave. `overdue_outstanding` is what aging counts as overdue of an invoice today. With `include_total`, `totals` add all matching invoices up, each currency by itself. Age by `collection_due_date`, never by `due_date`; invoices without one are left out under a due filter, and both its ends are inclusive. A due filter selects whole invoices, with installments that are not due yet: never sum amounts under it; what is due or overdue is in `/v1/aging/summary`. `inactive` is neither unpaid nor written off. To total what is owed and collectible, take `collection_outstanding` of `collection_status=open` without a due filter. Polling with the newest `updated_at` as `updated_since` returns that row again and misses none; of several pages, take the newest of the first. Collections do not move it.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{invoiceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invoice with its installments
         * @description Each installment says whether it can be collected now and, where not, the first reason.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         * @description Newest first. Filters combine freely. With `include_total`, `totals` add all matching links up, each currency by itself. `paid_at` is set when the link is `paid`, by the provider's clock, and is that of its payment; `deactivated_at` when it is `deactivated`. `email` is there where a workflow scheduled one; its `send_at` is between `email_send_from` and `email_send_before`, so that `email_status=scheduled` with one day and the next finds what goes out on a day. A `failed` email says why in `error`: no mail server took it for a day, or it was rejected; it goes out again once the customer's billing email changes, or when a person schedules it on the link's page.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description For one installment: `amount_minor` or, where it is left out, all that is available, which is the installment's `collection_outstanding` less its live links. An outstanding amount finer than the minor unit is rounded down. An installment holds at most 12 live links: one more is a `conflict` that names them.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create several payment links, or none
         * @description All are created or none; `details[].field` of an error names the link, as in `links[3].amount_minor`. Links on one installment share what is available, in their order.
         */
        post: operations["createPaymentLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{paymentLinkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment link
         * @description A link is `active` until it is `paid` or `deactivated`, and both are final.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{paymentLinkId}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a payment link
         * @description Again changes nothing. A link that was paid answers `conflict`. The request has no body.
         */
        post: operations["deactivatePaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{paymentLinkId}/email/reschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a scheduled email
         * @description Only a workflow schedules an email, and only a `scheduled` one can be moved: else, and while it is being sent, `conflict`. A link whose email was moved is mailed once.
         */
        post: operations["reschedulePaymentLinkEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{paymentLinkId}/email/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled email
         * @description Again changes nothing; an email that was sent or failed, or is being sent, answers `conflict`. The request has no body.
         */
        post: operations["cancelPaymentLinkEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List confirmed payments
         * @description Newest first. With `include_total`, `totals` add all matching payments up, each currency by itself. Polling with the newest `confirmed_at` as `confirmed_since` returns that payment again and misses none; of several pages, take the newest of the first. `paid_at` is when the customer paid, by the provider's clock: the receipt's date is its day in the workspace's timezone. `confirmed_at` is when the service learnt of it, later where a notification was. `refunded` is what the provider has given back so far, zero without a refund, and `refunded_minor` the same in the currency's minor unit; `disputed` is true from the customer's chargeback at their bank on, until it is won: no dispute of the debt, which is `disputed` among the reasons of installments. Neither moves another figure: `amount`, `amount_collected` and `collection_status` stay. `erp_receipt_number` is there once the ERP has the receipt, and `erp_push_attempted_at` is when it was last tried. `erp_push_status`: `held` waits until somebody pushes it; `pending` and `processing` have not reached the ERP; `posted` is accepted there and not allocated; `applied` is both; `failed` never reached it, and is tried again every 15 minutes for 24 hours where the ERP was unreachable, else a person has to; `reversed` was undone in the ERP and waits for a person.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment
         * @description A payment stays; its receipt, what was refunded and whether it is disputed change later.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/push-held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push held receipts to the ERP
         * @description Give exactly one of `connection_id` and `payment_ids`. Of a connection, all that it holds, which may be none; of named payments, all or none: one that is not held answers `conflict`. `202` means queued: poll the payments' `erp_push_status`.
         */
        post: operations["pushHeldPayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment integrations
         * @description The payment providers of the workspace and what each can charge. Newest first. `livemode` is true where real money moves, and false with a test key or the sandbox: links of such an integration cannot be paid with real money.
         */
        get: operations["listPaymentIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erp-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ERP connections
         * @description Outside `connected`, runs may still happen and fail. Judge how fresh figures are by the connection's `last_successful_sync_at`.
         */
        get: operations["listErpConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erp-connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an ERP connection
         * @description Its figures are as fresh as `last_successful_sync_at`, in every status.
         */
        get: operations["getErpConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erp-connections/{connectionId}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sync
         * @description Answers at once; the pull goes on in the background. Poll the sync run until its status is terminal. `running` says nothing of the credential: with an expired one the run fails seconds later. One run can be in flight per connection. The request has no body.
         */
        post: operations["startErpSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erp-connections/{connectionId}/sync-schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the automatic sync
         * @description The interval is a floor: the connection is pulled on the first check after it has passed.
         */
        post: operations["setErpSyncSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erp-connections/{connectionId}/payment-push-mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push receipts at once, or hold them
         * @description `automatic` pushes the receipt of a payment when it is confirmed; `held` keeps it until it is pushed.
         */
        post: operations["setPaymentPushMode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sync runs
         * @description Newest first.
         */
        get: operations["listSyncRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync-runs/{syncRunId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sync run
         * @description `succeeded` and `failed` are terminal. A run that was cut off has failed with `interrupted`.
         */
        get: operations["getSyncRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Newest first. `state=open` are the invoices still waiting for their first payment link.
         */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task
         * @description `configured`, `dismissed` and `not_needed` are how a task ends; a later link does not open it again.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{taskId}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss a task
         * @description Open and configured tasks can be dismissed; again changes nothing. A task that is not needed any more answers `conflict`. The request has no body.
         */
        post: operations["dismissTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows
         * @description Newest first. `auto_generate` creates payment links and emails them, `payment_arrangement` opens tasks.
         */
        get: operations["listWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description What it is and whether it is on; what it did is in its executions.
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflow-executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflow executions
         * @description Newest first, by when they started. One for each look at an invoice that did something, or would not and said why; a reason that still holds is not repeated.
         */
        get: operations["listWorkflowExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/aging/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Aging totals per currency
         * @description A row counts when its installment is live, owes money, is not closed in the ERP and has a due date. The invoice's status does not matter. `revision` changes if and only if the rows behind the answer do. With `group_by`, `groups` split the totals of each currency by the month or week in which debts are due (or expected, under `expected_from` or `expected_to`), by the first reason why they cannot be collected, or by ERP connection, with `as_of` of each; at most 300.
         */
        get: operations["summarizeAging"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/aging/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Aging per customer and currency
         * @description A row counts when its installment is live, owes money, is not closed in the ERP and has a due date. The invoice's status does not matter. Rows group by currency, largest first inside each; `limit_per_currency` takes the first of each currency. A cursor ends with its `revision`.
         */
        get: operations["listCustomerAging"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/aging/installments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The installments behind the aging
         * @description A row counts when its installment is live, owes money, is not closed in the ERP and has a due date. The invoice's status does not matter. By due date, invoice and installment. A cursor ends with its `revision`, which neither `available_amount` nor a reason after the first moves.
         */
        get: operations["listAgingInstallments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /**
                 * @description What went wrong, for programs; more may come
                 * @enum {string}
                 */
                code: "missing_credentials" | "invalid_credentials" | "revoked_credentials" | "feature_unavailable" | "permission_denied" | "not_found" | "invalid_cursor" | "validation_failed" | "conflict" | "idempotency_key_required" | "idempotency_conflict" | "rate_limit_exceeded" | "payload_too_large" | "method_not_allowed" | "installment_not_collectible" | "amount_exceeds_available" | "sync_disabled" | "connection_disconnected" | "integration_unavailable" | "currency_not_supported" | "internal_error";
                /** @description What went wrong, for people; may change */
                message: string;
                /** @description The response's `X-Request-Id` */
                request_id: string;
                /** @description Each field at fault, as it was written (`links[3].amount_minor`) */
                details?: {
                    field: string;
                    message: string;
                }[];
            };
        };
        ApiContext: {
            /**
             * Format: uuid
             * @description The tenant the key belongs to
             */
            tenant_id: string;
            tenant_name: string;
            api_key: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                id: string;
                /** @description Name given at creation */
                name: string;
                /** @enum {string} */
                permission: "admin" | "readonly";
                /**
                 * Format: date-time
                 * @description ISO 8601 instant
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description Previous use of this key
                 */
                last_used_at: string | null;
            };
        };
        Invoice: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            invoice_number: string | null;
            /** @description ISO 4217 code */
            currency: string | null;
            /** @description Exact decimal in major units */
            total_amount: string | null;
            /** @description As last read; lags behind collections */
            erp_invoice_open_balance: string | null;
            /** Format: date */
            invoice_date: string | null;
            /**
             * Format: date
             * @description Not the date to age by
             */
            due_date: string | null;
            /**
             * Format: date
             * @description Date to age by; null when nothing dated is collectible
             */
            collection_due_date: string | null;
            /**
             * Format: date-time
             * @description Last read from the ERP
             */
            last_synced_at: string | null;
            /** @description Still to collect */
            collection_outstanding: string;
            /** @description Overdue in aging */
            overdue_outstanding: string;
            /** @description What links could still be made for */
            available_amount: string;
            /** @description Confirmed through payment links alone */
            amount_collected: string;
            /**
             * @description Worst write-back state; a held receipt counts as pending
             * @enum {string|null}
             */
            erp_push_state: "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
            /** @description A receipt is `held`: it waits to be pushed */
            has_held_payment: boolean;
            /**
             * @description `inactive` does not mean unpaid
             * @enum {string}
             */
            collection_status: "paid" | "open" | "inactive";
            customer: components["schemas"]["InvoiceCustomer"];
            /** @enum {string} */
            origin: "local" | "erp";
            /**
             * Format: uuid
             * @description UUID
             */
            connection_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Does not move on collections
             */
            updated_at: string;
            has_active_payment_link?: boolean;
            payment_terms?: string;
            collection_mode?: string;
            installments?: components["schemas"]["Installment"][];
        };
        InvoiceCustomer: {
            /**
             * Format: uuid
             * @description The only safe key to group by
             */
            id: string | null;
            number: string | null;
            name: string | null;
            /** @description A person */
            contact_name: string | null;
            /** @description Billing email */
            email: string | null;
        };
        InvoiceWithInstallments: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            invoice_number: string | null;
            /** @description ISO 4217 code */
            currency: string | null;
            /** @description Exact decimal in major units */
            total_amount: string | null;
            /** @description As last read; lags behind collections */
            erp_invoice_open_balance: string | null;
            /** Format: date */
            invoice_date: string | null;
            /**
             * Format: date
             * @description Not the date to age by
             */
            due_date: string | null;
            /**
             * Format: date
             * @description Date to age by; null when nothing dated is collectible
             */
            collection_due_date: string | null;
            /**
             * Format: date-time
             * @description Last read from the ERP
             */
            last_synced_at: string | null;
            /** @description Still to collect */
            collection_outstanding: string;
            /** @description Overdue in aging */
            overdue_outstanding: string;
            /** @description What links could still be made for */
            available_amount: string;
            /** @description Confirmed through payment links alone */
            amount_collected: string;
            /**
             * @description Worst write-back state; a held receipt counts as pending
             * @enum {string|null}
             */
            erp_push_state: "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
            /** @description A receipt is `held`: it waits to be pushed */
            has_held_payment: boolean;
            /**
             * @description `inactive` does not mean unpaid
             * @enum {string}
             */
            collection_status: "paid" | "open" | "inactive";
            customer: components["schemas"]["InvoiceCustomer"];
            /** @enum {string} */
            origin: "local" | "erp";
            /**
             * Format: uuid
             * @description UUID
             */
            connection_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Does not move on collections
             */
            updated_at: string;
            has_active_payment_link?: boolean;
            payment_terms?: string;
            collection_mode?: string;
            installments: components["schemas"]["Installment"][];
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            voided_at: string | null;
            settled_elsewhere: {
                /** @description Exact decimal in major units */
                amount: string;
                /** Format: date */
                date: string;
                reference: string;
            }[];
        };
        Installment: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            sequence_number: number | null;
            /** Format: date */
            due_date: string | null;
            /** @description Exact decimal in major units */
            original_amount: string | null;
            /** @description Exact decimal in major units */
            erp_installment_outstanding_amount: string | null;
            /** @description Still to collect */
            collection_outstanding: string;
            /** @description Less its active payment links */
            available_amount: string;
            collectible: boolean;
            /** @enum {string|null} */
            not_collectible_reason: "retired" | "removed" | "not_finalised" | "closed" | "excluded" | "disputed" | "nothing_outstanding" | "no_billing_email" | "currency_not_supported" | null;
        };
        ErpConnection: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /** @description Given by a person, or provider and business units */
            name: string;
            /** @enum {string} */
            provider: "oracle_fusion";
            /** @enum {string} */
            status: "connected" | "requires_reauthentication" | "temporarily_unavailable" | "disconnected";
            /**
             * Format: date-time
             * @description Last finished run
             */
            last_sync_at: string | null;
            /**
             * Format: date-time
             * @description Judge freshness by this
             */
            last_successful_sync_at: string | null;
            auto_sync_enabled: boolean;
            auto_sync_interval_minutes: number;
            /** Format: date */
            pull_invoice_date_from: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
        };
        SyncRun: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID
             */
            connection_id: string;
            connection_name: string;
            /** @enum {string} */
            trigger: "manual" | "scheduled";
            /** @enum {string} */
            status: "running" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            finished_at: string | null;
            invoices_read: number;
            invoices_created: number;
            invoices_updated: number;
            invoices_retired: number;
            invoices_set_aside: number;
            error: {
                /** @enum {string} */
                code: "authentication_failed" | "erp_unreachable" | "erp_rejected" | "interrupted" | "internal_error";
                message: string;
            } | null;
        };
        Task: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /** @enum {string} */
            type: "payment_arrangement";
            /**
             * Format: uuid
             * @description UUID
             */
            invoice_id: string;
            invoice_number: string | null;
            customer_name: string | null;
            /** @description ISO 4217 code */
            currency: string | null;
            /** @description Of the invoice */
            collection_outstanding: string | null;
            /**
             * Format: uuid
             * @description Member who was notified; null once removed
             */
            assignee_id: string | null;
            assignee_name: string | null;
            /** @enum {string} */
            state: "open" | "configured" | "dismissed" | "not_needed";
            /**
             * Format: date-time
             * @description First payment link
             */
            configured_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            dismissed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
        };
        Workflow: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /** @enum {string} */
            type: "auto_generate" | "payment_arrangement";
            name: string;
            enabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            updated_at: string;
        };
        WorkflowExecution: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID
             */
            workflow_id: string;
            /** @enum {string} */
            workflow_type: "auto_generate" | "payment_arrangement";
            /**
             * Format: uuid
             * @description UUID
             */
            invoice_id: string;
            /** @enum {string} */
            status: "succeeded" | "skipped" | "failed";
            /** @enum {string} */
            outcome: "link_created" | "task_opened" | "none";
            /** @description Why it was skipped or failed */
            reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            finished_at: string;
        };
        PaymentLink: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID
             */
            invoice_id: string;
            invoice_number: string | null;
            customer_name: string | null;
            /**
             * Format: uuid
             * @description UUID
             */
            installment_id: string;
            /**
             * Format: uuid
             * @description UUID
             */
            payment_integration_id: string;
            /** @description Minor units */
            amount_minor: number;
            /** @description Exact decimal in major units */
            amount: string;
            /** @description ISO 4217 code */
            currency: string;
            /** @description Pay page */
            url: string;
            /**
             * @description `paid` and `deactivated` are final
             * @enum {string}
             */
            status: "active" | "paid" | "deactivated";
            /** @description By workflows only */
            email: {
                /** @enum {string} */
                status: "scheduled" | "sent" | "cancelled" | "failed";
                to: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 instant
                 */
                send_at: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 instant
                 */
                sent_at: string | null;
                error: string | null;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
            created_by: {
                /** @enum {string} */
                kind: "api_key" | "member" | "workflow";
                /**
                 * Format: uuid
                 * @description UUID
                 */
                id: string;
                name: string | null;
            };
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            paid_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            deactivated_at: string | null;
        };
        Payment: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /**
             * Format: uuid
             * @description UUID
             */
            invoice_id: string;
            invoice_number: string | null;
            customer: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                id: string | null;
                number: string | null;
                name: string | null;
            };
            /**
             * Format: uuid
             * @description UUID
             */
            installment_id: string;
            /**
             * Format: uuid
             * @description UUID
             */
            payment_link_id: string;
            /** @description Minor units */
            amount_minor: number;
            /** @description ISO 4217 code */
            currency: string;
            /** @description Exact decimal in major units */
            amount: string;
            /**
             * Format: date-time
             * @description When the service learnt of it
             */
            confirmed_at: string;
            /**
             * @description Null without an ERP
             * @enum {string|null}
             */
            erp_push_status: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed" | null;
            erp_push_error: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            erp_push_attempted_at: string | null;
            erp_receipt_number: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            paid_at: string;
            refunded_minor: number;
            /** @description Exact decimal in major units */
            refunded: string;
            disputed: boolean;
        };
        PaymentIntegration: {
            /**
             * Format: uuid
             * @description UUID
             */
            id: string;
            /** @enum {string} */
            provider: "stripe" | "sandbox";
            /** @enum {string} */
            status: "connected" | "disconnected";
            /** @description ISO 4217 */
            currencies: string[];
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            created_at: string;
            /** @description Real money */
            livemode: boolean;
        };
        Pagination: {
            next_cursor: string | null;
            has_more: boolean;
            limit: number;
            total_count?: number;
        };
        AgingSummary: {
            /**
             * Format: date
             * @description The workspace's business day
             */
            report_date: string;
            /** @description Of the workspace */
            timezone: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            generated_at: string;
            /**
             * @description Current reconciled balances; no credits, no FX
             * @enum {string}
             */
            balance_basis: "finero_reconciled_current";
            /** @description Changes whenever the rows behind the answer do */
            revision: string;
            /** @description All of the workspace */
            currencies: string[];
            /**
             * Format: date-time
             * @description Latest change of a record; no proof of a complete sync
             */
            data_updated_at: string | null;
            /** @description One per currency; never add currencies up */
            totals: components["schemas"]["AgingTotals"][];
            /** @description Customers most like `search`, when nothing was found */
            nearest?: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                customer_id: string;
                name: string | null;
                number: string | null;
                /** @description True: has nothing of this kind; false: only resembles it */
                is_match: boolean;
            }[];
            groups?: {
                /** @description ISO 4217 code or UNKNOWN */
                currency: string;
                /** @description YYYY-MM, a Monday, a reason (or `collectible`, `no_installments`), or a connection's id (or `none`) */
                group: string;
                /** @description Exact decimal in major units */
                outstanding: string;
                /** @description Exact decimal in major units */
                overdue: string;
                installment_count: number;
                /**
                 * Format: date-time
                 * @description Oldest complete sync behind it; null without an ERP
                 */
                as_of?: string | null;
                connection_name?: string | null;
            }[];
        };
        AgingTotals: {
            /** @description ISO 4217 code or UNKNOWN */
            currency: string;
            /** @description Sum of all buckets */
            outstanding: string;
            /** @description Sum of all buckets but `current` */
            overdue: string;
            /** @description Not overdue: due today or later */
            current: string;
            /** @description 1 to 30 days overdue */
            days_1_30: string;
            /** @description 31 to 60 days overdue */
            days_31_60: string;
            /** @description 61 to 90 days overdue */
            days_61_90: string;
            /** @description Over 90 days overdue */
            over_90: string;
            /** @description Should be in by habit, and is not; with include=payment_history */
            past_expected?: string;
            /**
             * Format: date-time
             * @description Oldest complete sync behind it; null without an ERP
             */
            as_of: string | null;
        };
        AgingPagination: {
            /** @description Rows on all pages */
            total_count: number;
            limit: number;
            next_cursor: string | null;
        };
        CustomerAgingRow: {
            /** @description For drilldown */
            customer_key: string;
            /**
             * Format: uuid
             * @description UUID
             */
            customer_id: string | null;
            customer_name: string;
            customer_number: string | null;
            /** @description ISO 4217 code or UNKNOWN */
            currency: string;
            /** @description Sum of all buckets */
            outstanding: string;
            /** @description Sum of all buckets but `current` */
            overdue: string;
            /** @description Not overdue: due today or later */
            current: string;
            /** @description 1 to 30 days overdue */
            days_1_30: string;
            /** @description 31 to 60 days overdue */
            days_31_60: string;
            /** @description 61 to 90 days overdue */
            days_61_90: string;
            /** @description Over 90 days overdue */
            over_90: string;
            /** @description Should be in by habit, and is not; with include=payment_history */
            past_expected?: string;
            /**
             * Format: date-time
             * @description Oldest complete sync behind it; null without an ERP
             */
            as_of: string | null;
            /** @description Invoices behind the row */
            invoice_count: number;
            /** @description Installments behind the row */
            installment_count: number;
            /** @description Null when nothing is overdue */
            max_days_overdue: number | null;
            /** @description Closed in 2 years, with include=payment_history */
            paid_installments?: number;
            /** @description Negative when early */
            median_days_late?: number | null;
            /** @description Negative when early */
            average_days_late?: number | null;
            /** @description 0 to 1 */
            on_time_share?: number | null;
        };
        InstallmentAgingRow: {
            /** @description For drilldown */
            customer_key: string;
            /**
             * Format: uuid
             * @description UUID
             */
            customer_id: string | null;
            customer_name: string;
            customer_number: string | null;
            /**
             * Format: uuid
             * @description UUID
             */
            invoice_id: string;
            /** @description Empty when it has none */
            invoice_number: string;
            /**
             * Format: uuid
             * @description Null for an invoice without installments
             */
            installment_id: string | null;
            sequence_number: number | null;
            /** @description All the invoice has, paid ones too */
            invoice_installment_count: number;
            /** @description The same as `outstanding` */
            amount: string;
            /** @description Still to collect */
            outstanding: string;
            /** @description Less its active payment links */
            available_amount: string;
            /** @description ISO 4217 code or UNKNOWN */
            currency: string;
            /** Format: date */
            due_date: string | null;
            /** @description Negative before the due date */
            days_overdue: number | null;
            /** @enum {string} */
            bucket: "current" | "days_1_30" | "days_31_60" | "days_61_90" | "over_90";
            /** @description Whether the service can act on it */
            collectible: boolean;
            /**
             * @description The first that holds
             * @enum {string|null}
             */
            not_collectible_reason: "retired" | "removed" | "not_finalised" | "closed" | "excluded" | "disputed" | "nothing_outstanding" | "no_billing_email" | "currency_not_supported" | null;
            /** @description All that hold */
            not_collectible_reasons: ("retired" | "removed" | "not_finalised" | "closed" | "excluded" | "disputed" | "nothing_outstanding" | "no_billing_email" | "currency_not_supported")[];
            /**
             * Format: date-time
             * @description Oldest complete sync behind it; null without an ERP
             */
            as_of: string | null;
            /** @description Closed in 2 years, with include=payment_history */
            paid_installments?: number;
            /**
             * Format: date
             * @description Due date + median days late; null below 3 payments or when past
             */
            expected_date?: string | null;
            /** @description That day is past */
            past_expected?: boolean;
        };
        ListInvoicesResponse: {
            data: components["schemas"]["Invoice"][];
            pagination: components["schemas"]["Pagination"];
            /** @description With `include_total`, one per currency */
            totals?: {
                /** @description ISO 4217 code or UNKNOWN */
                currency: string;
                count: number;
                /** @description Exact decimal in major units */
                total_amount: string;
                /** @description Exact decimal in major units */
                collection_outstanding: string;
                /** @description Exact decimal in major units */
                overdue_outstanding: string;
                /** @description Exact decimal in major units */
                amount_collected: string;
            }[];
            /** @description Customers most like `search`, when nothing was found */
            nearest?: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                customer_id: string;
                name: string | null;
                number: string | null;
                /** @description True: has nothing of this kind; false: only resembles it */
                is_match: boolean;
            }[];
        };
        ListPaymentLinksResponse: {
            data: components["schemas"]["PaymentLink"][];
            pagination: components["schemas"]["Pagination"];
            /** @description With `include_total`, one per currency */
            totals?: {
                /** @description ISO 4217 code */
                currency: string;
                count: number;
                /** @description Exact decimal in major units */
                amount: string;
            }[];
            /** @description Customers most like `search`, when nothing was found */
            nearest?: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                customer_id: string;
                name: string | null;
                number: string | null;
                /** @description True: has nothing of this kind; false: only resembles it */
                is_match: boolean;
            }[];
        };
        CreatePaymentLinksResponse: {
            data: components["schemas"]["PaymentLink"][];
        };
        ListPaymentsResponse: {
            data: components["schemas"]["Payment"][];
            pagination: components["schemas"]["Pagination"];
            /** @description With `include_total`, one per currency */
            totals?: {
                /** @description ISO 4217 code */
                currency: string;
                count: number;
                /** @description Exact decimal in major units */
                amount: string;
            }[];
            /** @description Customers most like `search`, when nothing was found */
            nearest?: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                customer_id: string;
                name: string | null;
                number: string | null;
                /** @description True: has nothing of this kind; false: only resembles it */
                is_match: boolean;
            }[];
        };
        PushHeldPaymentsResponse: {
            data: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                payment_id: string;
                /** @enum {string} */
                erp_push_status: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed";
            }[];
        };
        ListPaymentIntegrationsResponse: {
            data: components["schemas"]["PaymentIntegration"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListErpConnectionsResponse: {
            data: components["schemas"]["ErpConnection"][];
            pagination: components["schemas"]["Pagination"];
        };
        StartErpSyncResponse: {
            /**
             * Format: uuid
             * @description Poll it until its status is terminal
             */
            sync_run_id: string;
            /**
             * @description Reserved and dispatched; not yet authenticated
             * @constant
             */
            status: "running";
        };
        SetPaymentPushModeResponse: {
            /**
             * Format: uuid
             * @description UUID
             */
            connection_id: string;
            /** @enum {string} */
            mode: "automatic" | "held";
        };
        ListSyncRunsResponse: {
            data: components["schemas"]["SyncRun"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListTasksResponse: {
            data: components["schemas"]["Task"][];
            pagination: components["schemas"]["Pagination"];
        };
        DismissTaskResponse: {
            ok: boolean;
        };
        ListWorkflowsResponse: {
            data: components["schemas"]["Workflow"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListWorkflowExecutionsResponse: {
            data: components["schemas"]["WorkflowExecution"][];
            pagination: components["schemas"]["Pagination"];
        };
        ListCustomerAgingResponse: {
            /**
             * Format: date
             * @description The workspace's business day
             */
            report_date: string;
            /** @description Of the workspace */
            timezone: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            generated_at: string;
            /**
             * @description Current reconciled balances; no credits, no FX
             * @enum {string}
             */
            balance_basis: "finero_reconciled_current";
            /** @description Changes whenever the rows behind the answer do */
            revision: string;
            /** @description All of the workspace */
            currencies: string[];
            /**
             * Format: date-time
             * @description Latest change of a record; no proof of a complete sync
             */
            data_updated_at: string | null;
            /** @description One per currency; never add currencies up */
            totals: components["schemas"]["AgingTotals"][];
            /** @description Customers most like `search`, when nothing was found */
            nearest?: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                customer_id: string;
                name: string | null;
                number: string | null;
                /** @description True: has nothing of this kind; false: only resembles it */
                is_match: boolean;
            }[];
            data: components["schemas"]["CustomerAgingRow"][];
            pagination: components["schemas"]["AgingPagination"];
        };
        ListAgingInstallmentsResponse: {
            /**
             * Format: date
             * @description The workspace's business day
             */
            report_date: string;
            /** @description Of the workspace */
            timezone: string;
            /**
             * Format: date-time
             * @description ISO 8601 instant
             */
            generated_at: string;
            /**
             * @description Current reconciled balances; no credits, no FX
             * @enum {string}
             */
            balance_basis: "finero_reconciled_current";
            /** @description Changes whenever the rows behind the answer do */
            revision: string;
            /** @description All of the workspace */
            currencies: string[];
            /**
             * Format: date-time
             * @description Latest change of a record; no proof of a complete sync
             */
            data_updated_at: string | null;
            /** @description One per currency; never add currencies up */
            totals: components["schemas"]["AgingTotals"][];
            /** @description Customers most like `search`, when nothing was found */
            nearest?: {
                /**
                 * Format: uuid
                 * @description UUID
                 */
                customer_id: string;
                name: string | null;
                number: string | null;
                /** @description True: has nothing of this kind; false: only resembles it */
                is_match: boolean;
            }[];
            data: components["schemas"]["InstallmentAgingRow"][];
            pagination: components["schemas"]["AgingPagination"];
        };
        CreatePaymentLinkRequest: {
            /**
             * Format: uuid
             * @description Invoice
             */
            invoice_id: string;
            /**
             * Format: uuid
             * @description Installment of the invoice
             */
            installment_id: string;
            /** @description Minor units; left out: all that is available */
            amount_minor?: number;
        };
        CreatePaymentLinksRequest: {
            /** @description 1 to 12 links */
            links: {
                /**
                 * Format: uuid
                 * @description Invoice
                 */
                invoice_id: string;
                /**
                 * Format: uuid
                 * @description Installment of the invoice
                 */
                installment_id: string;
                /** @description Minor units; left out: all that is available */
                amount_minor?: number;
            }[];
        };
        ReschedulePaymentLinkEmailRequest: {
            /**
             * Format: date-time
             * @description ISO 8601 instant, in the future, at most 365 days ahead
             */
            send_at: string;
        };
        PushHeldPaymentsRequest: {
            /**
             * Format: uuid
             * @description Push all that this ERP connection holds
             */
            connection_id?: string;
            /** @description Push these held payments, or none */
            payment_ids?: string[];
        };
        SetErpSyncScheduleRequest: {
            /** @description Kept while automatic pulls are off */
            interval_minutes: number;
            /** @description Whether automatic pulls run at all */
            enabled: boolean;
        };
        SetPaymentPushModeRequest: {
            /**
             * @description `held`: receipts wait until they are pushed
             * @enum {string}
             */
            mode: "automatic" | "held";
        };
    };
    responses: {
        /** @description `validation_failed`: A field or parameter is missing, malformed, repeated or unknown; `details` names each. */
        "400.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `missing_credentials`: No bearer header.
         *
         *     `invalid_credentials`: Malformed, or not an active key.
         *
         *     `revoked_credentials`: The key was revoked. Create a new one.
         */
        "401.invalid_credentials.missing_credentials.revoked_credentials": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `feature_unavailable`: The workspace's plan has no API access. */
        "403.feature_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limit_exceeded`: Wait the seconds of `Retry-After`. May be retried. */
        "429.rate_limit_exceeded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: Unexpected. Safe to retry, with the same `Idempotency-Key` where there is one. May be retried. */
        "500.internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `validation_failed`: A field or parameter is missing, malformed, repeated or unknown; `details` names each.
         *
         *     `invalid_cursor`: The cursor is malformed, was issued for another query, or the aging report changed. Restart without one.
         */
        "400.invalid_cursor.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: No such resource in the workspace. */
        "404.not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `validation_failed`: A field or parameter is missing, malformed, repeated or unknown; `details` names each.
         *
         *     `idempotency_key_required`: The operation needs an `Idempotency-Key` of 1 to 255 printable ASCII characters.
         */
        "400.idempotency_key_required.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `feature_unavailable`: The workspace's plan has no API access.
         *
         *     `permission_denied`: The key's permission does not allow the operation.
         */
        "403.feature_unavailable.permission_denied": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `idempotency_conflict`: The key was used with a different body, or on another operation. Use a fresh one.
         *
         *     `conflict`: The state does not allow it now, or an identical request is in flight. May be retried.
         */
        "409.conflict.idempotency_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `payload_too_large`: The body is over 64 KiB. */
        "413.payload_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation_failed`: The body is not `application/json` in UTF-8. */
        "415.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `installment_not_collectible`: The invoice or installment cannot be collected now.
         *
         *     `amount_exceeds_available`: More than is available of the installment.
         *
         *     `integration_unavailable`: No connected payments integration can mint the link.
         *
         *     `currency_not_supported`: The payment provider cannot collect the invoice's currency.
         */
        "422.amount_exceeds_available.currency_not_supported.installment_not_collectible.integration_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: The state does not allow it now, or an identical request is in flight. May be retried. */
        "409.conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `connection_disconnected`: The connection is disconnected and holds no credential. */
        "422.connection_disconnected": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `sync_disabled`: Sync is switched off for the connection. Retrying does not help.
         *
         *     `connection_disconnected`: The connection is disconnected and holds no credential.
         */
        "422.connection_disconnected.sync_disabled": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
         * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
         */
        RequestId: string;
        /**
         * @description Names the request, 1 to 255 printable ASCII characters: the same key and body within 24 hours is answered with the original result and not carried out again, whichever API key of the workspace sends it.
         * @example invoice-20417-reminder-1
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request's id: your own where you sent a well-formed one.
         * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
         */
        "X-Request-Id": string;
        /**
         * @description Requests of the limit closest to being reached.
         * @example 120
         */
        "RateLimit-Limit": number;
        /**
         * @description How many of them are left.
         * @example 117
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the count starts again.
         * @example 42
         */
        "RateLimit-Reset": number;
        /**
         * @description Seconds to wait.
         * @example 42
         */
        "Retry-After": number;
        /**
         * @description The bearer challenge.
         * @example Bearer realm="api", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description `true` when this is the answer of an earlier request with the same key.
         * @example true
         */
        "Idempotency-Replayed": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getApiContext: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "5d0c2a34-1f7e-4b6b-8a90-3c2b1a0f9e8d",
                     *       "tenant_name": "Northwind Traders",
                     *       "api_key": {
                     *         "id": "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726",
                     *         "name": "Ledger export",
                     *         "permission": "admin",
                     *         "created_at": "2026-01-12T09:30:00.000Z",
                     *         "last_used_at": "2026-03-31T08:20:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApiContext"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /**
                 * @description Collection state
                 * @example open
                 */
                collection_status?: "paid" | "open" | "inactive";
                /**
                 * @description ISO 4217 code
                 * @example EUR
                 */
                currency?: string;
                /**
                 * @description Exact match
                 * @example INV-20417
                 */
                invoice_number?: string;
                /**
                 * @description ERP connection
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connection_id?: string;
                /**
                 * @description Inclusive; a day starts in the workspace's timezone
                 * @example 2026-03-01T00:00:00.000Z
                 */
                updated_since?: string;
                /**
                 * @description `customer.id` of an invoice
                 * @example c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f
                 */
                customer_id?: string;
                /**
                 * @description `held`: has a held payment
                 * @example applied
                 */
                erp_push_state?: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed";
                /**
                 * @description Has an active link
                 * @example true
                 */
                has_active_payment_link?: boolean;
                /**
                 * @description Some of it is overdue
                 * @example true
                 */
                overdue?: boolean;
                /**
                 * @description Literal part of invoice number, customer name or number
                 * @example globex
                 */
                search?: string;
                /**
                 * @description `collection_outstanding`, inclusive
                 * @example 1000.00
                 */
                min_outstanding?: string;
                /**
                 * @description `overdue_outstanding`, inclusive
                 * @example 1000.00
                 */
                min_overdue?: string;
                /**
                 * @description Exact `total_amount`
                 * @example 1250.00
                 */
                amount?: string;
                /**
                 * @description Withdrawn and paid ones too
                 * @example false
                 */
                ever_had_payment_link?: boolean;
                /**
                 * @description A link can be made: its ERP need not be connected
                 * @example true
                 */
                has_available?: boolean;
                /**
                 * @description Inclusive
                 * @example 2026-03-01
                 */
                invoice_date_from?: string;
                /**
                 * @description Inclusive
                 * @example 2026-03-31
                 */
                invoice_date_to?: string;
                /**
                 * @description Inclusive, by collection_due_date
                 * @example 2026-03-31
                 */
                due_before?: string;
                /**
                 * @description Inclusive, by collection_due_date
                 * @example 2026-03-01
                 */
                due_after?: string;
                /**
                 * @description Amounts rank within a currency; due_asc: by collection_due_date
                 * @example overdue_desc
                 */
                sort?: "created" | "outstanding_desc" | "overdue_desc" | "due_asc" | "invoice_date_desc";
                /**
                 * @description Of a ranking by amount
                 * @example 5
                 */
                limit_per_currency?: number;
                /**
                 * @description Then at most 25 a page
                 * @example installments
                 */
                include?: "installments";
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time; `desc` when left out
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count and add up all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "due_date": null,
                     *           "last_synced_at": "2026-03-31T06:00:09.000Z",
                     *           "customer": {
                     *             "id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *             "number": "100482",
                     *             "name": "Globex GmbH",
                     *             "contact_name": "Ada Meyer",
                     *             "email": "billing@globex.example"
                     *           },
                     *           "origin": "erp",
                     *           "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *           "has_active_payment_link": true,
                     *           "id": "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
                     *           "invoice_number": "INV-20431",
                     *           "currency": "USD",
                     *           "total_amount": "480.00",
                     *           "erp_invoice_open_balance": "480.00",
                     *           "invoice_date": "2026-03-08",
                     *           "collection_due_date": "2026-04-07",
                     *           "collection_outstanding": "480.00",
                     *           "overdue_outstanding": "0.00",
                     *           "available_amount": "480.00",
                     *           "amount_collected": "0.00",
                     *           "erp_push_state": null,
                     *           "has_held_payment": false,
                     *           "collection_status": "open",
                     *           "created_at": "2026-03-30T06:00:08.000Z",
                     *           "updated_at": "2026-03-30T06:00:08.000Z",
                     *           "payment_terms": "30 Net"
                     *         },
                     *         {
                     *           "due_date": null,
                     *           "last_synced_at": "2026-03-31T06:00:09.000Z",
                     *           "customer": {
                     *             "id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *             "number": "100482",
                     *             "name": "Globex GmbH",
                     *             "contact_name": "Ada Meyer",
                     *             "email": "billing@globex.example"
                     *           },
                     *           "origin": "erp",
                     *           "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *           "has_active_payment_link": true,
                     *           "id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "currency": "EUR",
                     *           "total_amount": "2500.00",
                     *           "erp_invoice_open_balance": "1250.00",
                     *           "invoice_date": "2026-01-30",
                     *           "collection_due_date": "2026-03-19",
                     *           "collection_outstanding": "1250.00",
                     *           "overdue_outstanding": "1250.00",
                     *           "available_amount": "1250.00",
                     *           "amount_collected": "1250.00",
                     *           "erp_push_state": "applied",
                     *           "has_held_payment": false,
                     *           "collection_status": "open",
                     *           "created_at": "2026-01-30T17:00:08.000Z",
                     *           "updated_at": "2026-03-05T10:00:07.000Z",
                     *           "payment_terms": "2 Installments"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 2
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListInvoicesResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Invoice id
                 * @example 018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11
                 */
                invoiceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "due_date": null,
                     *       "last_synced_at": "2026-03-31T06:00:09.000Z",
                     *       "customer": {
                     *         "id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *         "number": "100482",
                     *         "name": "Globex GmbH",
                     *         "contact_name": "Ada Meyer",
                     *         "email": "billing@globex.example"
                     *       },
                     *       "origin": "erp",
                     *       "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *       "has_active_payment_link": true,
                     *       "id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *       "invoice_number": "INV-20417",
                     *       "currency": "EUR",
                     *       "total_amount": "2500.00",
                     *       "erp_invoice_open_balance": "1250.00",
                     *       "invoice_date": "2026-01-30",
                     *       "collection_due_date": "2026-03-19",
                     *       "collection_outstanding": "1250.00",
                     *       "overdue_outstanding": "1250.00",
                     *       "available_amount": "1250.00",
                     *       "amount_collected": "1250.00",
                     *       "erp_push_state": "applied",
                     *       "has_held_payment": false,
                     *       "collection_status": "open",
                     *       "created_at": "2026-01-30T17:00:08.000Z",
                     *       "updated_at": "2026-03-05T10:00:07.000Z",
                     *       "payment_terms": "2 Installments",
                     *       "installments": [
                     *         {
                     *           "id": "3d5f7a9c-1b2d-4e4f-8a6b-8c0d2e4f6a81",
                     *           "sequence_number": 1,
                     *           "due_date": "2026-02-28",
                     *           "original_amount": "1250.00",
                     *           "erp_installment_outstanding_amount": "0.00",
                     *           "collection_outstanding": "0.00",
                     *           "available_amount": "0.00",
                     *           "collectible": false,
                     *           "not_collectible_reason": "closed"
                     *         },
                     *         {
                     *           "id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                     *           "sequence_number": 2,
                     *           "due_date": "2026-03-19",
                     *           "original_amount": "1250.00",
                     *           "erp_installment_outstanding_amount": "1250.00",
                     *           "collection_outstanding": "1250.00",
                     *           "available_amount": "0.00",
                     *           "collectible": true,
                     *           "not_collectible_reason": null
                     *         }
                     *       ],
                     *       "voided_at": null,
                     *       "settled_elsewhere": []
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceWithInstallments"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /**
                 * @description Literal part of invoice number, customer name or number
                 * @example globex
                 */
                search?: string;
                /**
                 * @description Invoice
                 * @example 018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11
                 */
                invoice_id?: string;
                /**
                 * @description Installment
                 * @example 6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f
                 */
                installment_id?: string;
                /**
                 * @description Link status
                 * @example active
                 */
                status?: "active" | "paid" | "deactivated";
                /**
                 * @description `customer.id` of an invoice
                 * @example c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f
                 */
                customer_id?: string;
                /**
                 * @description Of its email
                 * @example scheduled
                 */
                email_status?: "scheduled" | "sent" | "cancelled" | "failed";
                /**
                 * @description Inclusive, by email.send_at; instant, or day in the workspace
                 * @example 2026-03-17
                 */
                email_send_from?: string;
                /**
                 * @description Exclusive
                 * @example 2026-03-18
                 */
                email_send_before?: string;
                /**
                 * @description Inclusive
                 * @example 2026-03-01
                 */
                created_since?: string;
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
                     *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "customer_name": "Globex GmbH",
                     *           "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                     *           "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *           "amount_minor": 125000,
                     *           "amount": "1250.00",
                     *           "currency": "EUR",
                     *           "url": "https://buy.stripe.com/3cI7sK9dE",
                     *           "status": "active",
                     *           "email": null,
                     *           "created_at": "2026-03-31T08:20:00.000Z",
                     *           "created_by": {
                     *             "kind": "api_key",
                     *             "id": "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726",
                     *             "name": "Ledger export"
                     *           },
                     *           "paid_at": null,
                     *           "deactivated_at": null
                     *         },
                     *         {
                     *           "id": "2a4c6e80-1b3d-4f5a-9c7e-0d2f4a6b8c1e",
                     *           "invoice_id": "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
                     *           "invoice_number": "INV-20431",
                     *           "customer_name": "Globex GmbH",
                     *           "installment_id": "8a0b2c4d-6e8f-4a1b-9c3d-5e7f9a0b1c2d",
                     *           "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *           "amount_minor": 48000,
                     *           "amount": "480.00",
                     *           "currency": "USD",
                     *           "url": "https://buy.stripe.com/5kQ2wR7fG",
                     *           "status": "active",
                     *           "email": {
                     *             "status": "scheduled",
                     *             "to": "billing@globex.example",
                     *             "send_at": "2026-04-01T07:00:00.000Z",
                     *             "sent_at": null,
                     *             "error": null
                     *           },
                     *           "created_at": "2026-03-31T06:00:14.000Z",
                     *           "created_by": {
                     *             "kind": "workflow",
                     *             "id": "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
                     *             "name": "Auto Generate"
                     *           },
                     *           "paid_at": null,
                     *           "deactivated_at": null
                     *         },
                     *         {
                     *           "id": "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
                     *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "customer_name": "Globex GmbH",
                     *           "installment_id": "3d5f7a9c-1b2d-4e4f-8a6b-8c0d2e4f6a81",
                     *           "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *           "amount_minor": 125000,
                     *           "amount": "1250.00",
                     *           "currency": "EUR",
                     *           "url": "https://buy.stripe.com/8wM5nX2aB",
                     *           "status": "paid",
                     *           "email": null,
                     *           "created_at": "2026-02-20T08:15:00.000Z",
                     *           "created_by": {
                     *             "kind": "member",
                     *             "id": "2c7e9f10-4b3a-4d5c-8e6f-7a8b9c0d1e2f",
                     *             "name": "Lena Brandt"
                     *           },
                     *           "paid_at": "2026-03-05T09:12:04.000Z",
                     *           "deactivated_at": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListPaymentLinksResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Names the request, 1 to 255 printable ASCII characters: the same key and body within 24 hours is answered with the original result and not carried out again, whichever API key of the workspace sends it.
                 * @example invoice-20417-reminder-1
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                 *       "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                 *       "amount_minor": 125000
                 *     }
                 */
                "application/json": components["schemas"]["CreatePaymentLinkRequest"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
                     *       "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *       "invoice_number": "INV-20417",
                     *       "customer_name": "Globex GmbH",
                     *       "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                     *       "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *       "amount_minor": 125000,
                     *       "amount": "1250.00",
                     *       "currency": "EUR",
                     *       "url": "https://buy.stripe.com/3cI7sK9dE",
                     *       "status": "active",
                     *       "email": null,
                     *       "created_at": "2026-03-31T08:20:00.000Z",
                     *       "created_by": {
                     *         "kind": "api_key",
                     *         "id": "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726",
                     *         "name": "Ledger export"
                     *       },
                     *       "paid_at": null,
                     *       "deactivated_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["400.idempotency_key_required.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.idempotency_conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            422: components["responses"]["422.amount_exceeds_available.currency_not_supported.installment_not_collectible.integration_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    createPaymentLinks: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Names the request, 1 to 255 printable ASCII characters: the same key and body within 24 hours is answered with the original result and not carried out again, whichever API key of the workspace sends it.
                 * @example invoice-20417-reminder-1
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "links": [
                 *         {
                 *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                 *           "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                 *           "amount_minor": 125000
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreatePaymentLinksRequest"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
                     *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "customer_name": "Globex GmbH",
                     *           "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                     *           "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *           "amount_minor": 125000,
                     *           "amount": "1250.00",
                     *           "currency": "EUR",
                     *           "url": "https://buy.stripe.com/3cI7sK9dE",
                     *           "status": "active",
                     *           "email": null,
                     *           "created_at": "2026-03-31T08:20:00.000Z",
                     *           "created_by": {
                     *             "kind": "api_key",
                     *             "id": "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726",
                     *             "name": "Ledger export"
                     *           },
                     *           "paid_at": null,
                     *           "deactivated_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreatePaymentLinksResponse"];
                };
            };
            400: components["responses"]["400.idempotency_key_required.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.idempotency_conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            422: components["responses"]["422.amount_exceeds_available.currency_not_supported.installment_not_collectible.integration_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Payment link id
                 * @example 0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6
                 */
                paymentLinkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
                     *       "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *       "invoice_number": "INV-20417",
                     *       "customer_name": "Globex GmbH",
                     *       "installment_id": "3d5f7a9c-1b2d-4e4f-8a6b-8c0d2e4f6a81",
                     *       "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *       "amount_minor": 125000,
                     *       "amount": "1250.00",
                     *       "currency": "EUR",
                     *       "url": "https://buy.stripe.com/8wM5nX2aB",
                     *       "status": "paid",
                     *       "email": null,
                     *       "created_at": "2026-02-20T08:15:00.000Z",
                     *       "created_by": {
                     *         "kind": "member",
                     *         "id": "2c7e9f10-4b3a-4d5c-8e6f-7a8b9c0d1e2f",
                     *         "name": "Lena Brandt"
                     *       },
                     *       "paid_at": "2026-03-05T09:12:04.000Z",
                     *       "deactivated_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    deactivatePaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Payment link id
                 * @example 1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b
                 */
                paymentLinkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
                     *       "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *       "invoice_number": "INV-20417",
                     *       "customer_name": "Globex GmbH",
                     *       "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                     *       "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *       "amount_minor": 125000,
                     *       "amount": "1250.00",
                     *       "currency": "EUR",
                     *       "url": "https://buy.stripe.com/3cI7sK9dE",
                     *       "status": "deactivated",
                     *       "email": null,
                     *       "created_at": "2026-03-31T08:20:00.000Z",
                     *       "created_by": {
                     *         "kind": "api_key",
                     *         "id": "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726",
                     *         "name": "Ledger export"
                     *       },
                     *       "paid_at": null,
                     *       "deactivated_at": "2026-03-31T08:40:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    reschedulePaymentLinkEmail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Payment link id
                 * @example 2a4c6e80-1b3d-4f5a-9c7e-0d2f4a6b8c1e
                 */
                paymentLinkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "send_at": "2026-04-02T07:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReschedulePaymentLinkEmailRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2a4c6e80-1b3d-4f5a-9c7e-0d2f4a6b8c1e",
                     *       "invoice_id": "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
                     *       "invoice_number": "INV-20431",
                     *       "customer_name": "Globex GmbH",
                     *       "installment_id": "8a0b2c4d-6e8f-4a1b-9c3d-5e7f9a0b1c2d",
                     *       "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *       "amount_minor": 48000,
                     *       "amount": "480.00",
                     *       "currency": "USD",
                     *       "url": "https://buy.stripe.com/5kQ2wR7fG",
                     *       "status": "active",
                     *       "email": {
                     *         "to": "billing@globex.example",
                     *         "send_at": "2026-04-02T07:00:00.000Z",
                     *         "sent_at": null,
                     *         "error": null,
                     *         "status": "scheduled"
                     *       },
                     *       "created_at": "2026-03-31T06:00:14.000Z",
                     *       "created_by": {
                     *         "kind": "workflow",
                     *         "id": "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
                     *         "name": "Auto Generate"
                     *       },
                     *       "paid_at": null,
                     *       "deactivated_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    cancelPaymentLinkEmail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Payment link id
                 * @example 2a4c6e80-1b3d-4f5a-9c7e-0d2f4a6b8c1e
                 */
                paymentLinkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2a4c6e80-1b3d-4f5a-9c7e-0d2f4a6b8c1e",
                     *       "invoice_id": "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
                     *       "invoice_number": "INV-20431",
                     *       "customer_name": "Globex GmbH",
                     *       "installment_id": "8a0b2c4d-6e8f-4a1b-9c3d-5e7f9a0b1c2d",
                     *       "payment_integration_id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *       "amount_minor": 48000,
                     *       "amount": "480.00",
                     *       "currency": "USD",
                     *       "url": "https://buy.stripe.com/5kQ2wR7fG",
                     *       "status": "active",
                     *       "email": {
                     *         "to": "billing@globex.example",
                     *         "send_at": "2026-04-01T07:00:00.000Z",
                     *         "sent_at": null,
                     *         "error": null,
                     *         "status": "cancelled"
                     *       },
                     *       "created_at": "2026-03-31T06:00:14.000Z",
                     *       "created_by": {
                     *         "kind": "workflow",
                     *         "id": "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
                     *         "name": "Auto Generate"
                     *       },
                     *       "paid_at": null,
                     *       "deactivated_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /**
                 * @description Inclusive; a day starts in the workspace's timezone
                 * @example 2026-03-01T00:00:00.000Z
                 */
                confirmed_since?: string;
                /**
                 * @description Exclusive
                 * @example 2026-04-01
                 */
                confirmed_before?: string;
                /**
                 * @description First day, by `paid_at`
                 * @example 2026-03-01
                 */
                paid_from?: string;
                /**
                 * @description Last day
                 * @example 2026-03-31
                 */
                paid_to?: string;
                /**
                 * @description Literal part of invoice number, customer name or number
                 * @example globex
                 */
                search?: string;
                /**
                 * @description Invoice
                 * @example 018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11
                 */
                invoice_id?: string;
                /**
                 * @description Exact match
                 * @example INV-20417
                 */
                invoice_number?: string;
                /**
                 * @description Payment link
                 * @example 0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6
                 */
                payment_link_id?: string;
                /**
                 * @description `customer.id`
                 * @example c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f
                 */
                customer_id?: string;
                /**
                 * @description ERP connection
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connection_id?: string;
                /**
                 * @description Write-back state
                 * @example applied
                 */
                erp_push_status?: "held" | "pending" | "processing" | "posted" | "applied" | "failed" | "reversed";
                /**
                 * @description A chargeback
                 * @example true
                 */
                disputed?: boolean;
                /**
                 * @description Exact match
                 * @example PAY-01HYD40AVDFG8RWQSTKC61TBHZ
                 */
                erp_receipt_number?: string;
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f9a40-2b6d-7c11-8e5f-3a9b0c1d2e3f",
                     *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "customer": {
                     *             "id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *             "number": "100482",
                     *             "name": "Globex GmbH"
                     *           },
                     *           "installment_id": "3d5f7a9c-1b2d-4e4f-8a6b-8c0d2e4f6a81",
                     *           "payment_link_id": "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
                     *           "amount_minor": 125000,
                     *           "currency": "EUR",
                     *           "amount": "1250.00",
                     *           "confirmed_at": "2026-03-05T09:12:06.000Z",
                     *           "erp_push_status": "applied",
                     *           "erp_push_error": null,
                     *           "erp_push_attempted_at": "2026-03-05T09:12:08.000Z",
                     *           "erp_receipt_number": "PAY-01HYD40AVDFG8RWQSTKC61TBHZ",
                     *           "created_at": "2026-03-05T09:12:06.000Z",
                     *           "paid_at": "2026-03-05T09:12:04.000Z",
                     *           "refunded_minor": 0,
                     *           "refunded": "0.00",
                     *           "disputed": false
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListPaymentsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Payment id
                 * @example 018f9a40-2b6d-7c11-8e5f-3a9b0c1d2e3f
                 */
                paymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f9a40-2b6d-7c11-8e5f-3a9b0c1d2e3f",
                     *       "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *       "invoice_number": "INV-20417",
                     *       "customer": {
                     *         "id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *         "number": "100482",
                     *         "name": "Globex GmbH"
                     *       },
                     *       "installment_id": "3d5f7a9c-1b2d-4e4f-8a6b-8c0d2e4f6a81",
                     *       "payment_link_id": "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
                     *       "amount_minor": 125000,
                     *       "currency": "EUR",
                     *       "amount": "1250.00",
                     *       "confirmed_at": "2026-03-05T09:12:06.000Z",
                     *       "erp_push_status": "applied",
                     *       "erp_push_error": null,
                     *       "erp_push_attempted_at": "2026-03-05T09:12:08.000Z",
                     *       "erp_receipt_number": "PAY-01HYD40AVDFG8RWQSTKC61TBHZ",
                     *       "created_at": "2026-03-05T09:12:06.000Z",
                     *       "paid_at": "2026-03-05T09:12:04.000Z",
                     *       "refunded_minor": 0,
                     *       "refunded": "0.00",
                     *       "disputed": false
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    pushHeldPayments: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Names the request, 1 to 255 printable ASCII characters: the same key and body within 24 hours is answered with the original result and not carried out again, whichever API key of the workspace sends it.
                 * @example invoice-20417-reminder-1
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5"
                 *     }
                 */
                "application/json": components["schemas"]["PushHeldPaymentsRequest"];
            };
        };
        responses: {
            /** @description Accepted; it goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "payment_id": "018f9a40-2b6d-7c11-8e5f-3a9b0c1d2e3f",
                     *           "erp_push_status": "pending"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PushHeldPaymentsResponse"];
                };
            };
            400: components["responses"]["400.idempotency_key_required.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict.idempotency_conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            422: components["responses"]["422.connection_disconnected"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listPaymentIntegrations: {
        parameters: {
            query?: {
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
                     *           "provider": "stripe",
                     *           "status": "connected",
                     *           "currencies": [
                     *             "EUR",
                     *             "USD"
                     *           ],
                     *           "created_at": "2026-01-12T10:05:00.000Z",
                     *           "livemode": true
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListPaymentIntegrationsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listErpConnections: {
        parameters: {
            query?: {
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *           "name": "Oracle Fusion (Vision Operations)",
                     *           "provider": "oracle_fusion",
                     *           "status": "connected",
                     *           "last_sync_at": "2026-03-31T06:00:12.000Z",
                     *           "last_successful_sync_at": "2026-03-31T06:00:12.000Z",
                     *           "auto_sync_enabled": true,
                     *           "auto_sync_interval_minutes": 60,
                     *           "pull_invoice_date_from": "2026-01-01",
                     *           "created_at": "2026-01-12T09:40:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListErpConnectionsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getErpConnection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description ERP connection id
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *       "name": "Oracle Fusion (Vision Operations)",
                     *       "provider": "oracle_fusion",
                     *       "status": "connected",
                     *       "last_sync_at": "2026-03-31T06:00:12.000Z",
                     *       "last_successful_sync_at": "2026-03-31T06:00:12.000Z",
                     *       "auto_sync_enabled": true,
                     *       "auto_sync_interval_minutes": 60,
                     *       "pull_invoice_date_from": "2026-01-01",
                     *       "created_at": "2026-01-12T09:40:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ErpConnection"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    startErpSync: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description ERP connection id
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sync_run_id": "9e8d7c6b-5a49-4838-a726-15f4e3d2c1b0",
                     *       "status": "running"
                     *     }
                     */
                    "application/json": components["schemas"]["StartErpSyncResponse"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            422: components["responses"]["422.connection_disconnected.sync_disabled"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    setErpSyncSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description ERP connection id
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "interval_minutes": 60,
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["SetErpSyncScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *       "name": "Oracle Fusion (Vision Operations)",
                     *       "provider": "oracle_fusion",
                     *       "status": "connected",
                     *       "last_sync_at": "2026-03-31T06:00:12.000Z",
                     *       "last_successful_sync_at": "2026-03-31T06:00:12.000Z",
                     *       "auto_sync_enabled": true,
                     *       "auto_sync_interval_minutes": 60,
                     *       "pull_invoice_date_from": "2026-01-01",
                     *       "created_at": "2026-01-12T09:40:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ErpConnection"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    setPaymentPushMode: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description ERP connection id
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "automatic"
                 *     }
                 */
                "application/json": components["schemas"]["SetPaymentPushModeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *       "mode": "automatic"
                     *     }
                     */
                    "application/json": components["schemas"]["SetPaymentPushModeResponse"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listSyncRuns: {
        parameters: {
            query?: {
                /**
                 * @description ERP connection
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connection_id?: string;
                /**
                 * @description Status
                 * @example succeeded
                 */
                status?: "running" | "succeeded" | "failed";
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "9e8d7c6b-5a49-4838-a726-15f4e3d2c1b0",
                     *           "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *           "connection_name": "Oracle Fusion (Vision Operations)",
                     *           "trigger": "manual",
                     *           "status": "succeeded",
                     *           "started_at": "2026-03-31T06:00:04.000Z",
                     *           "finished_at": "2026-03-31T06:00:12.000Z",
                     *           "invoices_read": 2,
                     *           "invoices_created": 0,
                     *           "invoices_updated": 0,
                     *           "invoices_retired": 0,
                     *           "invoices_set_aside": 0,
                     *           "error": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListSyncRunsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getSyncRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Sync run id
                 * @example 9e8d7c6b-5a49-4838-a726-15f4e3d2c1b0
                 */
                syncRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9e8d7c6b-5a49-4838-a726-15f4e3d2c1b0",
                     *       "connection_id": "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
                     *       "connection_name": "Oracle Fusion (Vision Operations)",
                     *       "trigger": "manual",
                     *       "status": "succeeded",
                     *       "started_at": "2026-03-31T06:00:04.000Z",
                     *       "finished_at": "2026-03-31T06:00:12.000Z",
                     *       "invoices_read": 2,
                     *       "invoices_created": 0,
                     *       "invoices_updated": 0,
                     *       "invoices_retired": 0,
                     *       "invoices_set_aside": 0,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["SyncRun"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /**
                 * @description Invoice
                 * @example 018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11
                 */
                invoice_id?: string;
                /**
                 * @description Task state
                 * @example configured
                 */
                state?: "open" | "configured" | "dismissed" | "not_needed";
                /**
                 * @description Task type
                 * @example payment_arrangement
                 */
                type?: "payment_arrangement";
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "d7e8f9a0-b1c2-4d3e-9f40-5a6b7c8d9e0f",
                     *           "type": "payment_arrangement",
                     *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "customer_name": "Globex GmbH",
                     *           "currency": "EUR",
                     *           "collection_outstanding": "1250.00",
                     *           "assignee_id": "2c7e9f10-4b3a-4d5c-8e6f-7a8b9c0d1e2f",
                     *           "assignee_name": "Lena Brandt",
                     *           "state": "configured",
                     *           "configured_at": "2026-02-20T08:15:00.000Z",
                     *           "dismissed_at": null,
                     *           "created_at": "2026-01-30T17:00:09.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListTasksResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Task id
                 * @example d7e8f9a0-b1c2-4d3e-9f40-5a6b7c8d9e0f
                 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "d7e8f9a0-b1c2-4d3e-9f40-5a6b7c8d9e0f",
                     *       "type": "payment_arrangement",
                     *       "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *       "invoice_number": "INV-20417",
                     *       "customer_name": "Globex GmbH",
                     *       "currency": "EUR",
                     *       "collection_outstanding": "1250.00",
                     *       "assignee_id": "2c7e9f10-4b3a-4d5c-8e6f-7a8b9c0d1e2f",
                     *       "assignee_name": "Lena Brandt",
                     *       "state": "configured",
                     *       "configured_at": "2026-02-20T08:15:00.000Z",
                     *       "dismissed_at": null,
                     *       "created_at": "2026-01-30T17:00:09.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    dismissTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Task id
                 * @example d7e8f9a0-b1c2-4d3e-9f40-5a6b7c8d9e0f
                 */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["DismissTaskResponse"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable.permission_denied"];
            404: components["responses"]["404.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.validation_failed"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /**
                 * @description Whether it runs
                 * @example true
                 */
                enabled?: boolean;
                /**
                 * @description Workflow type
                 * @example auto_generate
                 */
                type?: "auto_generate" | "payment_arrangement";
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
                     *           "type": "auto_generate",
                     *           "name": "Auto Generate",
                     *           "enabled": true,
                     *           "created_at": "2026-03-10T15:00:00.000Z",
                     *           "updated_at": "2026-03-10T15:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListWorkflowsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Workflow id
                 * @example 4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f
                 */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
                     *       "type": "auto_generate",
                     *       "name": "Auto Generate",
                     *       "enabled": true,
                     *       "created_at": "2026-03-10T15:00:00.000Z",
                     *       "updated_at": "2026-03-10T15:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["400.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            404: components["responses"]["404.not_found"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listWorkflowExecutions: {
        parameters: {
            query?: {
                /**
                 * @description Workflow
                 * @example 4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f
                 */
                workflow_id?: string;
                /**
                 * @description Invoice
                 * @example 018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d
                 */
                invoice_id?: string;
                /**
                 * @description How it ended
                 * @example succeeded
                 */
                status?: "succeeded" | "skipped" | "failed";
                /**
                 * @description Page size
                 * @example 25
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description By creation time
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Also count all matching rows
                 * @example true
                 */
                include_total?: boolean;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "b5c6d7e8-f901-4a2b-8c3d-4e5f60718293",
                     *           "workflow_id": "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
                     *           "workflow_type": "auto_generate",
                     *           "invoice_id": "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
                     *           "status": "succeeded",
                     *           "outcome": "link_created",
                     *           "reason": null,
                     *           "started_at": "2026-03-31T06:00:13.000Z",
                     *           "finished_at": "2026-03-31T06:00:15.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "limit": 25,
                     *         "total_count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListWorkflowExecutionsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    summarizeAging: {
        parameters: {
            query?: {
                /**
                 * @description ISO 4217 code or UNKNOWN
                 * @example EUR
                 */
                currency?: string;
                /**
                 * @description Part of customer name or number (not of invoices)
                 * @example globex
                 */
                search?: string;
                /**
                 * @description From customer aging
                 * @example c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f
                 */
                customer_key?: string;
                /**
                 * @description ERP connection
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connection_id?: string;
                /**
                 * @description Days overdue; `current` includes today
                 * @example days_1_30
                 */
                bucket?: "current" | "days_1_30" | "days_31_60" | "days_61_90" | "over_90";
                /**
                 * @description Due before today
                 * @example true
                 */
                overdue_only?: boolean;
                /**
                 * @description Inclusive, by due date
                 * @example 2026-03-16
                 */
                due_from?: string;
                /**
                 * @description Inclusive
                 * @example 2026-03-22
                 */
                due_to?: string;
                /**
                 * @description Whether the service can act on it
                 * @example true
                 */
                collectible?: boolean;
                /**
                 * @description Why it cannot
                 * @example disputed
                 */
                not_collectible_reason?: "retired" | "removed" | "not_finalised" | "closed" | "excluded" | "disputed" | "nothing_outstanding" | "no_billing_email" | "currency_not_supported";
                /**
                 * @description Of customers, within each currency; days_late_desc across them, needs include
                 * @example overdue_desc
                 */
                sort?: "overdue_desc" | "outstanding_desc" | "customer_asc" | "days_late_desc";
                /**
                 * @description How customers paid in the last 2 years
                 * @example payment_history
                 */
                include?: "payment_history";
                /**
                 * @description Inclusive, by expected_date (from 3 payments on); with include
                 * @example 2026-04-01
                 */
                expected_from?: string;
                /**
                 * @description Inclusive; with include
                 * @example 2026-04-30
                 */
                expected_to?: string;
                /**
                 * @description Page size
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description Adds `groups`; months and weeks by due (or expected) date
                 * @example month
                 */
                group_by?: "month" | "week" | "reason" | "connection";
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "report_date": "2026-03-31",
                     *       "timezone": "Europe/Berlin",
                     *       "generated_at": "2026-03-31T08:30:00.000Z",
                     *       "balance_basis": "finero_reconciled_current",
                     *       "revision": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
                     *       "currencies": [
                     *         "EUR",
                     *         "USD"
                     *       ],
                     *       "data_updated_at": "2026-03-30T06:00:08.000Z",
                     *       "totals": [
                     *         {
                     *           "currency": "EUR",
                     *           "outstanding": "1250.00",
                     *           "overdue": "1250.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "0.00",
                     *           "days_1_30": "1250.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00"
                     *         },
                     *         {
                     *           "currency": "USD",
                     *           "outstanding": "480.00",
                     *           "overdue": "0.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "480.00",
                     *           "days_1_30": "0.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgingSummary"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listCustomerAging: {
        parameters: {
            query?: {
                /**
                 * @description ISO 4217 code or UNKNOWN
                 * @example EUR
                 */
                currency?: string;
                /**
                 * @description Part of customer name or number (not of invoices)
                 * @example globex
                 */
                search?: string;
                /**
                 * @description From customer aging
                 * @example c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f
                 */
                customer_key?: string;
                /**
                 * @description ERP connection
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connection_id?: string;
                /**
                 * @description Days overdue; `current` includes today
                 * @example days_1_30
                 */
                bucket?: "current" | "days_1_30" | "days_31_60" | "days_61_90" | "over_90";
                /**
                 * @description Due before today
                 * @example true
                 */
                overdue_only?: boolean;
                /**
                 * @description Inclusive, by due date
                 * @example 2026-03-16
                 */
                due_from?: string;
                /**
                 * @description Inclusive
                 * @example 2026-03-22
                 */
                due_to?: string;
                /**
                 * @description Whether the service can act on it
                 * @example true
                 */
                collectible?: boolean;
                /**
                 * @description Why it cannot
                 * @example disputed
                 */
                not_collectible_reason?: "retired" | "removed" | "not_finalised" | "closed" | "excluded" | "disputed" | "nothing_outstanding" | "no_billing_email" | "currency_not_supported";
                /**
                 * @description Of customers, within each currency; days_late_desc across them, needs include
                 * @example overdue_desc
                 */
                sort?: "overdue_desc" | "outstanding_desc" | "customer_asc" | "days_late_desc";
                /**
                 * @description How customers paid in the last 2 years
                 * @example payment_history
                 */
                include?: "payment_history";
                /**
                 * @description Inclusive, by expected_date (from 3 payments on); with include
                 * @example 2026-04-01
                 */
                expected_from?: string;
                /**
                 * @description Inclusive; with include
                 * @example 2026-04-30
                 */
                expected_to?: string;
                /**
                 * @description Page size
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
                /**
                 * @description Of a ranking by amount
                 * @example 5
                 */
                limit_per_currency?: number;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "report_date": "2026-03-31",
                     *       "timezone": "Europe/Berlin",
                     *       "generated_at": "2026-03-31T08:30:00.000Z",
                     *       "balance_basis": "finero_reconciled_current",
                     *       "revision": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
                     *       "currencies": [
                     *         "EUR",
                     *         "USD"
                     *       ],
                     *       "data_updated_at": "2026-03-30T06:00:08.000Z",
                     *       "totals": [
                     *         {
                     *           "currency": "EUR",
                     *           "outstanding": "1250.00",
                     *           "overdue": "1250.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "0.00",
                     *           "days_1_30": "1250.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00"
                     *         },
                     *         {
                     *           "currency": "USD",
                     *           "outstanding": "480.00",
                     *           "overdue": "0.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "480.00",
                     *           "days_1_30": "0.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00"
                     *         }
                     *       ],
                     *       "data": [
                     *         {
                     *           "customer_key": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_name": "Globex GmbH",
                     *           "customer_number": "100482",
                     *           "currency": "EUR",
                     *           "outstanding": "1250.00",
                     *           "overdue": "1250.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "0.00",
                     *           "days_1_30": "1250.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00",
                     *           "invoice_count": 1,
                     *           "installment_count": 1,
                     *           "max_days_overdue": 12
                     *         },
                     *         {
                     *           "customer_key": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_name": "Globex GmbH",
                     *           "customer_number": "100482",
                     *           "currency": "USD",
                     *           "outstanding": "480.00",
                     *           "overdue": "0.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "480.00",
                     *           "days_1_30": "0.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00",
                     *           "invoice_count": 1,
                     *           "installment_count": 1,
                     *           "max_days_overdue": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total_count": 2,
                     *         "limit": 50,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListCustomerAgingResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
    listAgingInstallments: {
        parameters: {
            query?: {
                /**
                 * @description ISO 4217 code or UNKNOWN
                 * @example EUR
                 */
                currency?: string;
                /**
                 * @description Part of customer name or number (not of invoices)
                 * @example globex
                 */
                search?: string;
                /**
                 * @description From customer aging
                 * @example c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f
                 */
                customer_key?: string;
                /**
                 * @description ERP connection
                 * @example 7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5
                 */
                connection_id?: string;
                /**
                 * @description Days overdue; `current` includes today
                 * @example days_1_30
                 */
                bucket?: "current" | "days_1_30" | "days_31_60" | "days_61_90" | "over_90";
                /**
                 * @description Due before today
                 * @example true
                 */
                overdue_only?: boolean;
                /**
                 * @description Inclusive, by due date
                 * @example 2026-03-16
                 */
                due_from?: string;
                /**
                 * @description Inclusive
                 * @example 2026-03-22
                 */
                due_to?: string;
                /**
                 * @description Whether the service can act on it
                 * @example true
                 */
                collectible?: boolean;
                /**
                 * @description Why it cannot
                 * @example disputed
                 */
                not_collectible_reason?: "retired" | "removed" | "not_finalised" | "closed" | "excluded" | "disputed" | "nothing_outstanding" | "no_billing_email" | "currency_not_supported";
                /**
                 * @description Of customers, within each currency; days_late_desc across them, needs include
                 * @example overdue_desc
                 */
                sort?: "overdue_desc" | "outstanding_desc" | "customer_asc" | "days_late_desc";
                /**
                 * @description How customers paid in the last 2 years
                 * @example payment_history
                 */
                include?: "payment_history";
                /**
                 * @description Inclusive, by expected_date (from 3 payments on); with include
                 * @example 2026-04-01
                 */
                expected_from?: string;
                /**
                 * @description Inclusive; with include
                 * @example 2026-04-30
                 */
                expected_to?: string;
                /**
                 * @description Page size
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description `next_cursor` of the previous page
                 * @example q1s9Lm0c2VhbGVkX2N1cnNvcg
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.
                 * @example 3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c
                 */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "report_date": "2026-03-31",
                     *       "timezone": "Europe/Berlin",
                     *       "generated_at": "2026-03-31T08:30:00.000Z",
                     *       "balance_basis": "finero_reconciled_current",
                     *       "revision": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
                     *       "currencies": [
                     *         "EUR",
                     *         "USD"
                     *       ],
                     *       "data_updated_at": "2026-03-30T06:00:08.000Z",
                     *       "totals": [
                     *         {
                     *           "currency": "EUR",
                     *           "outstanding": "1250.00",
                     *           "overdue": "1250.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "0.00",
                     *           "days_1_30": "1250.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00"
                     *         },
                     *         {
                     *           "currency": "USD",
                     *           "outstanding": "480.00",
                     *           "overdue": "0.00",
                     *           "as_of": "2026-03-31T06:00:12.000Z",
                     *           "current": "480.00",
                     *           "days_1_30": "0.00",
                     *           "days_31_60": "0.00",
                     *           "days_61_90": "0.00",
                     *           "over_90": "0.00"
                     *         }
                     *       ],
                     *       "data": [
                     *         {
                     *           "customer_key": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_name": "Globex GmbH",
                     *           "customer_number": "100482",
                     *           "invoice_id": "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
                     *           "invoice_number": "INV-20417",
                     *           "installment_id": "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
                     *           "sequence_number": 2,
                     *           "invoice_installment_count": 2,
                     *           "amount": "1250.00",
                     *           "outstanding": "1250.00",
                     *           "available_amount": "1250.00",
                     *           "currency": "EUR",
                     *           "due_date": "2026-03-19",
                     *           "days_overdue": 12,
                     *           "bucket": "days_1_30",
                     *           "collectible": true,
                     *           "not_collectible_reason": null,
                     *           "not_collectible_reasons": [],
                     *           "as_of": "2026-03-31T06:00:12.000Z"
                     *         },
                     *         {
                     *           "customer_key": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_id": "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
                     *           "customer_name": "Globex GmbH",
                     *           "customer_number": "100482",
                     *           "invoice_id": "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
                     *           "invoice_number": "INV-20431",
                     *           "installment_id": "8a0b2c4d-6e8f-4a1b-9c3d-5e7f9a0b1c2d",
                     *           "sequence_number": 1,
                     *           "invoice_installment_count": 1,
                     *           "amount": "480.00",
                     *           "outstanding": "480.00",
                     *           "available_amount": "480.00",
                     *           "currency": "USD",
                     *           "due_date": "2026-04-07",
                     *           "days_overdue": -7,
                     *           "bucket": "current",
                     *           "collectible": true,
                     *           "not_collectible_reason": null,
                     *           "not_collectible_reasons": [],
                     *           "as_of": "2026-03-31T06:00:12.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total_count": 2,
                     *         "limit": 50,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListAgingInstallmentsResponse"];
                };
            };
            400: components["responses"]["400.invalid_cursor.validation_failed"];
            401: components["responses"]["401.invalid_credentials.missing_credentials.revoked_credentials"];
            403: components["responses"]["403.feature_unavailable"];
            429: components["responses"]["429.rate_limit_exceeded"];
            500: components["responses"]["500.internal_error"];
        };
    };
}
