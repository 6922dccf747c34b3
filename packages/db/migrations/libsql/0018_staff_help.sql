ALTER TABLE `members` ADD `banned_role_type` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `banned_until_ms` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `banned_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `banned_by_id` integer;
--> statement-breakpoint
ALTER TABLE `members` ADD `ban_reason` text;
--> statement-breakpoint
ALTER TABLE `members` ADD `deleted_by_id` integer;
--> statement-breakpoint
ALTER TABLE `personnel_grants` ADD `ended_with_member` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `affiliates` ADD `ended_with_member` integer DEFAULT false NOT NULL;
