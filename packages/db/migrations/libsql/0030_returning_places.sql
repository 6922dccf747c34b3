ALTER TABLE `memberships` ADD `awaits_owner` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `memberships` ADD `granted_by_id` integer;
