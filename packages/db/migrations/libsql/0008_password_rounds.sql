ALTER TABLE `members` ADD `password_rounds` integer;
--> statement-breakpoint
CREATE INDEX `members_password_rounds_index` ON `members` (`password_rounds`);
