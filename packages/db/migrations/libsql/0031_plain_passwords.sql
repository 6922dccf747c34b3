ALTER TABLE `members` ADD `password_is_plain` integer DEFAULT false NOT NULL;
